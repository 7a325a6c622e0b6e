/* SPDX-License-Identifier: MIT */
/* The chip of tools/ptx_chip.h by libpto, with the faults that a chip's program might have. */
#ifndef PTO_TEST_PTX_CPU_H
#define PTO_TEST_PTX_CPU_H

#include "ptx_chip.h"

/** What goes wrong from now on. */
enum ptx_fault {
    PTX_SOUND,
    PTX_SWAPPED_STATEMENT, /* the statement names %1 and %2 the other way round */
    PTX_SWAPPED_SOURCES,   /* the lowest two units of an instruction change places */
    PTX_OTHER_RANDOM,      /* each instruction has the random word of the one before it */
    PTX_OTHER_SCALE,       /* the scales are off by one */
    PTX_SWAPPED_SCALES,    /* the scales of two elements change places */
    PTX_OTHER_CHOICE,      /* selp and slct choose by the opposite */
    PTX_OTHER_PLACE,       /* results are stored one place off */
    PTX_FAULTS
};
extern enum ptx_fault ptx_cpu_fault;

#endif
