/* SPDX-License-Identifier: MIT */
/* The digest of one share. */
#ifndef PTO_CLI_DIGEST_LEAF_H
#define PTO_CLI_DIGEST_LEAF_H

#include "digest_input.h"
#include "digest_line.h"

/* Whether the command was built with xxHash, without which there are no leaves. */
bool has_leaves(void);

/* Of the results of a share, by the backend that is active; the block is room to work in. */
pto_status leaf(const struct form *form, uint64_t share, struct block *block, struct sum *digest);

#endif
