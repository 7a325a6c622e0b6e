/* SPDX-License-Identifier: MIT */
/* Computes digests of shares with XXH3-128, prints their lines, and shows progress on a terminal. */
#include "digest_share.h"

#include <time.h>
#include <unistd.h>

#ifdef PTO_HAS_XXHASH
#    define XXH_INLINE_ALL /* defines the functions in this file, so that no library is linked */
#    include <xxhash.h>

#    include <string.h>

bool can_digest(void) {
    return true;
}

pto_status share_digest(const struct form *form, uint64_t share, block_runner *run, struct block *block,
                        struct digest128 *digest) {
    const uint64_t first = share * SHARE_INPUTS;
    uint64_t end = first + SHARE_INPUTS;
    XXH3_state_t state;
    XXH128_hash_t hash;
    memset(&state, 0, sizeof state); /* the reset reads the previous seed */
    XXH3_128bits_reset_withSeed(&state, share);
    if (end > form->count) end = form->count;
    for (uint64_t at = first; at < end; at += BLOCK_INPUTS) {
        const size_t n = end - at < BLOCK_INPUTS ? (size_t)(end - at) : BLOCK_INPUTS;
        pto_status status;
        block_fill(form, block, at, n);
        status = run(form, block);
        if (status != PTO_OK) return status;
        XXH3_128bits_update(&state, &block->result, result_bytes(form, n));
    }
    hash = XXH3_128bits_digest(&state);
    digest->high = hash.high64;
    digest->low = hash.low64;
    return PTO_OK;
}

struct digest128 named_digest(const char *name, const void *data, size_t bytes) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(data, bytes, XXH3_64bits(name, strlen(name)));
    return (struct digest128){hash.high64, hash.low64};
}
#else
bool can_digest(void) {
    return false;
}

pto_status share_digest(const struct form *form, uint64_t share, block_runner *run, struct block *block,
                        struct digest128 *digest) {
    (void)form;
    (void)share;
    (void)run;
    (void)block;
    *digest = (struct digest128){0, 0};
    return PTO_ERR_ISA;
}

struct digest128 named_digest(const char *name, const void *data, size_t bytes) {
    (void)name;
    (void)data;
    (void)bytes;
    return (struct digest128){0, 0};
}
#endif

/* ---- progress on a terminal ---- */

void show_progress(const char *name, uint64_t done, uint64_t all) {
    static time_t shown;
    const time_t now = time(NULL);
    if (now == shown || isatty(STDERR_FILENO) == 0) return;
    shown = now;
    fprintf(stderr, "\r\033[K%s %u%%", name, (unsigned)(100 * done / all));
}

void clear_progress(void) {
    if (isatty(STDERR_FILENO) != 0) fputs("\r\033[K", stderr);
}

/* ---- lines ---- */

static struct line line_of(const struct form *form, const uint64_t range[2], const char *isa) {
    struct line line = {
        .count = form->count, .begin = range[0], .end = range[1], .share_count = share_count(form->count)};
    snprintf(line.form, sizeof line.form, "%s", form->name);
    snprintf(line.inputs, sizeof line.inputs, "%s", coverage_name(form->coverage));
    snprintf(line.version, sizeof line.version, "%s", pto_version());
    snprintf(line.isa, sizeof line.isa, "%s", isa);
    return line;
}

/* Flushes stdout after the line, so that the line is not lost if the command is killed later. */
int write_digest(const struct command *command, const struct form *form, const uint64_t range[2],
                 block_runner *run, const char *isa, struct block *block) {
    struct line line = line_of(form, range, isa);
    for (uint64_t share = range[0]; share < range[1]; ++share) {
        struct digest128 digest;
        const pto_status status = share_digest(form, share, run, block, &digest);
        if (status != PTO_OK) return report_error(command, "%s: %s", form->name, pto_strerror(status));
        digest_add(&line.digest, digest);
        show_progress(form->name, share - range[0], range[1] - range[0]);
    }
    clear_progress();
    write_line(&line);
    return fflush(stdout) == 0 ? STATUS_OK : STATUS_ERROR;
}
