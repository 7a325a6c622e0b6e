/* SPDX-License-Identifier: MIT */
/* Computes the digest of one share, and the line of several shares. Shows the progress of long commands. */
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

/* Returns the digest of data under a name: XXH3-128 of the data, with XXH3-64 of the name as the seed. */
struct digest128 named_digest(const char *name, const void *data, size_t bytes);

/* show_progress() shows, at most once a second and only on a terminal, which part of the work is done, in percent.
 * clear_progress() removes that line. */
void show_progress(const char *name, uint64_t done, uint64_t all);
void clear_progress(void);

/* Computes and prints the line of a range of shares. `isa` is the name of what runs the blocks. Returns STATUS_ERROR
 * after an error. */
int write_digest(const struct command *command, const struct form *form, const uint64_t range[2],
                 block_runner *run, const char *isa, struct block *block);

#endif
