/* SPDX-License-Identifier: MIT */
/* The digest of one share, and the line of several. */
#ifndef PTO_CLI_DIGEST_LEAF_H
#define PTO_CLI_DIGEST_LEAF_H

#include "digest_input.h"
#include "digest_line.h"

/* Whether the command was built with xxHash, without which there are no leaves. */
bool has_leaves(void);

/* Computes the results of a block, as block_run does. */
typedef pto_status block_runner(const struct form *form, struct block *block);

/* Of the results of a share; the block is room to work in. */
pto_status leaf(const struct form *form, uint64_t share, block_runner *run, struct block *block,
                struct sum *digest);

/* Prints the line of these shares, "isa" being who runs the blocks. After a complaint: BAD_USE. */
int write_digest(const struct command *command, const struct form *form, const uint64_t range[2],
                 block_runner *run, const char *isa, struct block *block);

#endif
