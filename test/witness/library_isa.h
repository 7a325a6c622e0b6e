/* SPDX-License-Identifier: MIT */
/** @file library_isa.h  How far the library has come: what witnesses may ask of it. */
#ifndef PTO_TEST_LIBRARY_ISA_H
#define PTO_TEST_LIBRARY_ISA_H

/**
 * The PTX ISA whose forms of cvt and of set the library has; 95 for 9.5. What is newer may be missing there,
 * and is counted; as soon as nothing is missing any more a witness fails until the number is raised here.
 */
enum { LIBRARY_CVT_ISA = 95, LIBRARY_SET_ISA = 95 };

#endif
