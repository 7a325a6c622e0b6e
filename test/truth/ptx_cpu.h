/* SPDX-License-Identifier: MIT */
/* The chip interface of tools/ptx_chip.h, implemented with libpto, with faults that a program for a chip
 * might have. */
#ifndef PTO_TEST_PTX_CPU_H
#define PTO_TEST_PTX_CPU_H

#include "ptx_chip.h"

/** The fault that later runs have. */
enum ptx_fault {
    PTX_SOUND,
    PTX_SWAPPED_STATEMENT, /* the statement exchanges %1 and %2 */
    PTX_SWAPPED_SOURCES,   /* the lowest two units of an instruction are exchanged */
    PTX_OTHER_RANDOM,      /* each instruction uses the random word of the one before it */
    PTX_OTHER_SCALE,       /* the scales are off by one */
    PTX_SWAPPED_SCALES,    /* the scales of two elements are exchanged */
    PTX_OTHER_CHOICE,      /* selp and slct select the other operand */
    PTX_OTHER_PLACE,       /* results are stored one place off */
    PTX_FAULTS
};
extern enum ptx_fault ptx_cpu_fault;

#endif
