/* SPDX-License-Identifier: MIT */
/* Assembles kernels with ptxas and reads their machine code from the ELF file. */
#include "witness/fold.h"

#include "support/cmocka_all.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fold_open(struct folding *f, const struct ptxas *p) {
    memset(f, 0, sizeof *f);
    f->ptxas = p;
    snprintf(f->source, sizeof f->source, "%s/fold.ptx", p->directory);
    snprintf(f->object, sizeof f->object, "%s/fold.cubin", p->directory);
    f->file = fopen(f->source, "w");
    assert_non_null(f->file);
    fprintf(f->file, ".version %d.%d\n.target %s\n.address_size 64\n", p->isa / 10, p->isa % 10, p->target);
    fold_add(f, "mov.b64 d0, 0;");
    fold_add(f, "mov.b64 d0, 1;");
}

void fold_add(struct folding *f, const char *instructions) {
    fprintf(f->file,
            ".visible .entry k%zu(.param .u64 a) {\n"
            ".reg .b16 h<6>; .reg .b32 w<6>; .reg .b64 d<6>; .reg .u64 at; ld.param.u64 at, [a];\n"
            "%s\nst.global.b64 [at], d0; ret; }\n",
            f->kernels++, instructions);
}

/* ---- the ELF file: sections .text.k0, .text.k1 and so on ---- */

/** Reads the object file into f->image, with a zero byte after it so that every name in it ends. Returns false on
 * failure. */
static bool read_image(struct folding *f) {
    FILE *file = fopen(f->object, "rb");
    long size = -1;
    if (!file) return false;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0) {
        f->image = calloc((size_t)size + 1, 1);
        if (f->image) f->image_size = fread(f->image, 1, (size_t)size, file);
    }
    fclose(file);
    return f->image && f->image_size > sizeof(Elf64_Ehdr) && memcmp(f->image, ELFMAG, SELFMAG) == 0;
}

static bool inside(const struct folding *f, uint64_t begin, uint64_t size) {
    return begin <= f->image_size && size <= f->image_size - begin;
}

static Elf64_Shdr section(const struct folding *f, const Elf64_Ehdr *head, size_t i) {
    Elf64_Shdr s = {0};
    const uint64_t at = head->e_shoff + i * head->e_shentsize;
    if (inside(f, at, sizeof s)) memcpy(&s, f->image + at, sizeof s);
    return s;
}

static void note_code(struct folding *f, const Elf64_Shdr *names, const Elf64_Shdr *s) {
    static const char prefix[] = ".text.k";
    const uint64_t at = names->sh_offset + s->sh_name, length = sizeof prefix - 1;
    size_t number;
    char *end;
    if (!inside(f, at, length) || memcmp(f->image + at, prefix, length) != 0) return;
    number = strtoul((const char *)f->image + at + length, &end, 10);
    if (*end != 0 || number >= f->kernels || !inside(f, s->sh_offset, s->sh_size)) return;
    f->code[number].bytes = f->image + s->sh_offset;
    f->code[number].size = s->sh_size;
}

static bool find_code(struct folding *f) {
    Elf64_Shdr names;
    Elf64_Ehdr head;
    memcpy(&head, f->image, sizeof head);
    names = section(f, &head, head.e_shstrndx);
    f->code = calloc(f->kernels, sizeof *f->code);
    if (!f->code) return false;
    for (size_t i = 0; i < head.e_shnum; i++) {
        const Elf64_Shdr s = section(f, &head, i);
        note_code(f, &names, &s);
    }
    for (size_t i = 0; i < f->kernels; i++) {
        if (!f->code[i].bytes) return false;
    }
    return true;
}

bool fold_assemble(struct folding *f) {
    char command[8 * PTXAS_PATH];
    bool good;
    fclose(f->file);
    snprintf(command, sizeof command, "'%s' -O3 -arch=%s -o '%s' '%s'", f->ptxas->program, f->ptxas->target,
             f->object, f->source);
    good = system(command) == 0 && read_image(f) && find_code(f); /* NOLINT(bugprone-command-processor) */
    unlink(f->source);
    unlink(f->object);
    return good;
}

bool fold_same(const struct folding *f, size_t one, size_t other) {
    const struct fold_code *a = &f->code[one], *b = &f->code[other];
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

void fold_close(struct folding *f) {
    free(f->image);
    free(f->code);
}
