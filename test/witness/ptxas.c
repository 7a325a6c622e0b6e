/* SPDX-License-Identifier: MIT */
/* Runs ptxas on listings of instructions and parses its messages. */
#include "witness/ptxas.h"

#include "support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 5, ROOM = 1024 };

/* ---- listings ---- */

void listing_open_for(struct listing *l, const struct ptxas *p, int isa, const char *target) {
    l->ptxas = p;
    l->target = target;
    l->lines = 0;
    l->stopped = 0;
    l->verdict = NULL;
    snprintf(l->path, sizeof l->path, "%s/listing.ptx", p->directory);
    l->file = fopen(l->path, "w");
    assert_non_null(l->file);
    fprintf(
        l->file,
        ".version %d.%d\n.target %s\n.address_size 64\n.visible .entry k(.param .u64 a) {\n" LISTING_REGISTERS
        " .reg .u64 at; ld.param.u64 at, [a];\n",
        isa / 10, isa % 10, target);
}

void listing_open(struct listing *l, const struct ptxas *p) {
    listing_open_for(l, p, p->isa, p->target);
}

void listing_add(struct listing *l, const char *instruction, const char *operands) {
    fprintf(l->file, "%s %s;\n", instruction, operands);
    l->lines++;
}

static unsigned char reason(const char *message) {
    if (strstr(message, "Unexpected instruction types")) return BAD_TYPE;
    if (strstr(message, "Mismatch between instruction type and comparison")) return BAD_OP;
    if (strstr(message, "Illegal modifier")) return BAD_MODIFIER;
    return BAD_OTHERWISE;
}

/** Adds the reason of an error message of ptxas to the verdict of its line. */
static void note(struct listing *l, const char *message) {
    const char *line = strstr(message, ", line ");
    const size_t number = line ? strtoul(line + 7, NULL, 10) : 0;
    if (strstr(message, "error") && number > HEAD && number <= HEAD + l->lines)
        l->verdict[number - HEAD - 1] |= reason(message);
    if (strstr(message, "fatal") && number > HEAD) l->stopped = number - HEAD;
}

bool listing_judge(struct listing *l) {
    char command[4 * PTXAS_PATH], message[ROOM];
    FILE *output;

    fputs("ret; }\n", l->file);
    fclose(l->file);
    l->verdict = calloc(l->lines + 1, 1);
    assert_non_null(l->verdict);
    snprintf(command, sizeof command, "'%s' -arch=%s -o /dev/null '%s' 2>&1", l->ptxas->program, l->target,
             l->path);
    output = popen(command, "r");
    assert_non_null(output);
    while (fgets(message, sizeof message, output)) {
        note(l, message);
    }
    unlink(l->path);
    return pclose(output) == 0;
}

void listing_close(struct listing *l) {
    free(l->verdict);
    l->verdict = NULL;
}

char register_for(size_t bits) {
    if (bits > 32) return 'd';
    if (bits > 16) return 'w';
    return bits > 8 ? 'h' : 'b';
}

/* ---- the program ---- */

static bool knows(const struct ptxas *p, int isa, const char *target) {
    struct listing l;
    bool good;
    listing_open_for(&l, p, isa, target);
    good = listing_judge(&l);
    listing_close(&l);
    return good;
}

bool ptxas_start(struct ptxas *p, const char *program) {
    static const struct {
        int isa;
        const char *target;
    } newest[] = {{95, "sm_107a"}, {94, "sm_107a"}, {93, "sm_100a"},
                  {92, "sm_100a"}, {91, "sm_100a"}, {90, "sm_100a"}};
    p->program = program;
    snprintf(p->directory, sizeof p->directory, "/tmp/pto-ptxas-XXXXXX");
    if (!mkdtemp(p->directory)) return false;
    for (size_t i = 0; i < sizeof newest / sizeof newest[0]; i++) {
        p->isa = newest[i].isa;
        p->target = newest[i].target;
        if (knows(p, p->isa, p->target)) {
            printf("%s: PTX %d.%d, %s\n", program, p->isa / 10, p->isa % 10, p->target);
            return true;
        }
    }
    printf("skipped: %s does not run here, or does not know PTX 9.0 and sm_100a\n", program);
    ptxas_stop(p);
    return false;
}

void ptxas_stop(struct ptxas *p) {
    rmdir(p->directory);
}
