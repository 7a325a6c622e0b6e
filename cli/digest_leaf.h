/* SPDX-License-Identifier: MIT */
/* Computes the digest of one share (a leaf), and the line of several shares. */
#ifndef PTO_CLI_DIGEST_LEAF_H
#define PTO_CLI_DIGEST_LEAF_H

#include "digest_input.h"
#include "digest_line.h"

/* Returns whether the command was built with xxHash, which leaf() needs. */
bool has_leaves(void);

/* A function that computes the results of a block, as block_run() does. */
typedef pto_status block_runner(const struct form *form, struct block *block);

/* Sets *digest to the digest of the results of a share. *block is working memory. */
pto_status leaf(const struct form *form, uint64_t share, block_runner *run, struct block *block,
                struct sum *digest);

/* Computes and prints the line of a range of shares. `isa` is the name of what runs the blocks. Returns BAD_USE
 * after an error. */
int write_digest(const struct command *command, const struct form *form, const uint64_t range[2],
                 block_runner *run, const char *isa, struct block *block);

#endif
