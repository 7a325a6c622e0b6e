/* SPDX-License-Identifier: MIT */
/* Computes the digest of one share, and the line of several shares. */
#ifndef PTO_CLI_DIGEST_SHARE_H
#define PTO_CLI_DIGEST_SHARE_H

#include "digest_input.h"
#include "digest_line.h"

/* Returns whether the command was built with xxHash, which share_digest() needs. */
bool can_digest(void);

/* A function that computes the results of a block, as block_run() does. */
typedef pto_status block_runner(const struct form *form, struct block *block);

/* Sets *digest to the digest of the results of a share. *block is working memory. */
pto_status share_digest(const struct form *form, uint64_t share, block_runner *run, struct block *block,
                        struct digest128 *digest);

/* Computes and prints the line of a range of shares. `isa` is the name of what runs the blocks. Returns STATUS_ERROR
 * after an error. */
int write_digest(const struct command *command, const struct form *form, const uint64_t range[2],
                 block_runner *run, const char *isa, struct block *block);

#endif
