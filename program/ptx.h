/* SPDX-License-Identifier: MIT */
/*
 * The PTX front end: statements and operands (ptx.c), registers of operands (ptx_operands.c), the table of instructions
 * (instructions.c), and for modules directives (ptx_module.c) and the instructions that only kernels have
 * (ptx_memory.c, ptx_access.c, ptx_warp.c).
 */
#ifndef PTO_PROGRAM_PTX_H
#define PTO_PROGRAM_PTX_H

#include "launch.h"
#include "number.h"
#include "steps.h"

enum { PTX_OPERANDS = 6, PTX_PARTS = 8, PTX_SCOPES = 32, PTX_OPCODE = 128, PTX_NAME = 256 };

enum operand_kind {
    OPERAND_NAME,
    OPERAND_NUMBER, /* a constant expression */
    OPERAND_SINK,   /* _ */
    OPERAND_PAIR,   /* p|q */
    OPERAND_GROUP,  /* {a, b} */
    OPERAND_ADDRESS /* [a + 4]; the token is that of a */
};

struct part {
    struct token token; /* its first token */
    bool is_number;
    struct constant number;
};

struct operand {
    enum operand_kind kind;
    struct token token; /* its first token, after `!` */
    bool negated;       /* a `!` precedes the name */
    struct constant number;
    size_t count; /* number of parts of a pair or a group */
    struct part part[PTX_PARTS];
    bool is_number; /* whether an address is a number */
    int64_t offset; /* of an address: is added to it */
};

struct statement {
    struct token opcode; /* without blanks: its text is in struct ptx if the program has some in it */
    size_t first_piece;  /* its bytes before the first blank */
    struct operand operand[PTX_OPERANDS];
    size_t count;
    int guard; /* the predicate of the lanes that take part, or ABSENT: all do */
    bool guard_not;
};

/* A parameter of a kernel, or a variable: a name that stands for an address. */
struct symbol {
    struct token name;
    enum space space;
    uint64_t address;
    int scope;       /* MODULE_SCOPE for those outside kernels */
    bool is_dynamic; /* an array of shared memory without a size, which begins after all others */
};

enum { MODULE_SCOPE = -1 };

/* The instructions and directives that the text of a kernel has, for pto_module_use_at(). */
struct survey {
    struct use *first; /* a list */
    size_t count;
    void *names;     /* a tree of <search.h> of the same */
    struct use *now; /* the entry of the current statement; NULL until its opcode is read */
};

struct ptx {
    struct text text;
    pto_program *program;
    int scopes[PTX_SCOPES]; /* the open scopes, the outermost one first */
    size_t depth;
    int last_scope;
    int active;              /* predicate of the lanes that have not jumped; ABSENT: all */
    int always, never;       /* constant predicates: true, false */
    int carry;               /* the carry flag, a u32 of 0 or 1, or ABSENT: the text has not used it */
    char opcode[PTX_OPCODE]; /* the current opcode, if the text has blanks in it */
    size_t waiting;          /* labels ahead where lanes wait, plus each `ret` and `exit` so far */
    struct label *labels, **next_label; /* a list in order of appearance */
    void *label_names;                  /* a tree of <search.h> of the same labels */
    size_t label_count;

    /* modules only */
    pto_module *module;
    struct ptx_kernel *kernel; /* the kernel whose text this is, or NULL */
    /* Reads a directive inside a kernel, such as .loc or .shared, whose first word is `now`. (A member, because the
     * files that parse directives and statements need each other.) */
    bool (*directive)(struct ptx *x);
    struct symbol *symbols;
    size_t symbol_count, symbol_capacity;
    size_t shared_bytes; /* of shared arrays outside kernels */
    bool no_memory;
    struct survey survey;
};

/* The requirement on the register of an operand. */
struct requirement {
    pto_dtype type;    /* the type that the instruction gives the operand */
    bool untyped_only; /* the register must be declared as untyped bits */
    bool wider;        /* the register may be wider than `type` */
    bool plain;        /* an f16x2 register does not do as a 32-bit integer */
    bool packed;       /* several integers in 32 bits: a register of .b32 or .f16x2, no constant */
};

/* Returns the number of a special register, or -1. */
int pto_ptx_special(const struct token *name);

/* Returns whether this is the name of a special register that this text can read. */
bool pto_ptx_is_special(const struct ptx *x, const struct token *name);

/* Returns the register of this name that can be seen here, which may be a vector, or ABSENT. */
int pto_ptx_find(const struct ptx *x, const struct token *name);

/* Returns the parameter or variable of this name that can be seen here, or NULL. */
const struct symbol *pto_ptx_symbol(const struct ptx *x, const struct token *name);

/* ---- operands: register numbers; ABSENT after an error, or for the sink `_` ---- */

int pto_ptx_source(struct ptx *x, const struct operand *o, struct requirement need);
int pto_ptx_result(struct ptx *x, const struct operand *o, struct requirement need);
int pto_ptx_part_source(struct ptx *x, const struct part *part, struct requirement need);
int pto_ptx_part_result(struct ptx *x, const struct token *name, struct requirement need);
/* A predicate that is read. Sets *negated if `!` precedes it. */
int pto_ptx_predicate(struct ptx *x, const struct operand *o, bool *negated);
/* A predicate that is written. */
int pto_ptx_predicate_result(struct ptx *x, const struct token *name);

/* Reports an error unless `s` has `count` operands. */
bool pto_ptx_operand_count(struct ptx *x, const struct statement *s, size_t count);

/* Appends a step of statement `s`, with the guard predicate of `s`. */
bool pto_ptx_step(struct ptx *x, const struct statement *s, struct step *step);

/* Reports that there is not enough memory. Returns false. */
bool pto_ptx_no_memory(struct ptx *x);

/* Returns the name of instruction i, such as "setp", or NULL if i is too large. */
const char *pto_ptx_name(size_t i);

/* Returns the table row of an instruction. Reports an error and returns NULL if there is none. */
struct instruction;
const struct instruction *pto_ptx_row(struct ptx *x, const struct token *opcode);

/* Checks one instruction, whose operands are in `s`, and appends its steps. */
bool pto_ptx_instruction(struct ptx *x, const struct statement *s, const struct instruction *row);

/* ---- words of opcodes, and addresses: ptx_words.c ---- */

/* A word of an opcode, after a dot. */
struct opcode_word {
    const char *at;
    size_t length;
};

/* Moves to the next word of the opcode; before the first call, *w must be zero. Returns false at its end. */
bool pto_word_next(const struct token *opcode, struct opcode_word *w);
bool pto_word_is(const struct opcode_word *w, const char *text);
/* `texts` ends with NULL. */
bool pto_word_is_one_of(const struct opcode_word *w, const char *const *texts);
/* Reports an error at a word. Returns false. */
bool pto_word_error(struct ptx *x, const struct token *opcode, const struct opcode_word *w, const char *text);
/* Sets *type if the word is a type. */
bool pto_word_type(const struct opcode_word *w, pto_dtype *type);
/* Sets *space if the word names a space of addresses. */
bool pto_word_space(const struct opcode_word *w, enum space *space);

/* Returns whether an opcode has the same words as `form`, in any order. */
bool pto_word_same(const struct token *opcode, const char *form);

/* Returns the register of an address, and sets *offset to what is added to it. Returns ABSENT after an error. */
int pto_ptx_address(struct ptx *x, const struct operand *o, enum space space, int64_t *offset);

/* ---- words of accesses to memory: ptx_access.c ---- */

/* The instructions that access memory, as bits. */
enum { PTX_LD = 1, PTX_LDU = 2, PTX_ST = 4, PTX_ATOM = 8, PTX_RED = 16 };

enum word_kind {
    WORD_ORDER, /* .relaxed and the like */
    WORD_MMIO,
    WORD_SCOPE,
    WORD_CACHE, /* .ca and the like */
    WORD_NC,
    WORD_L1,
    WORD_L2,
    WORD_HINT,
    WORD_PREFETCH,
    WORD_OPERATION, /* .add and the like */
    WORD_KINDS
};

struct access {
    const char *word[WORD_KINDS]; /* the word of each kind, or NULL */
    bool has_space, has_type, is_const;
};

/* Reads the words of an access into *a, and its space, type and vector size into *m, whose count must be 1. */
bool pto_ptx_access(struct ptx *x, const struct token *opcode, unsigned user, struct memory_parameters *m,
                    struct access *a);

/* Checks that there are `before` operands, and after them a cache policy if the words have L2::cache_hint. */
bool pto_ptx_hint(struct ptx *x, const struct statement *s, const struct access *a, size_t before);

/* ---- instructions ---- */

/* Check an instruction of warps, `atom` or `red`, and append its step. */
bool pto_ptx_make_warp(struct ptx *x, const struct statement *s);
bool pto_ptx_make_atom(struct ptx *x, const struct statement *s);
bool pto_ptx_make_red(struct ptx *x, const struct statement *s);

/* Returns whether `s` is an instruction on integers or bits, which ptx_integers.c checks. */
bool pto_ptx_is_integer(const struct statement *s);

/* Checks such an instruction and appends its steps. */
bool pto_ptx_make_integer(struct ptx *x, const struct statement *s);

/* Returns whether this is the opcode of an instruction that only kernels have. */
bool pto_ptx_is_kernel_opcode(const struct token *opcode);

/* Checks an instruction that only kernels have, and appends its steps. */
bool pto_ptx_kernel_instruction(struct ptx *x, const struct statement *s);

/* ---- kernels that are not supported, and surveys: ptx_survey.c ---- */

/* Counts an instruction of the current statement. Does nothing without options.survey. */
bool pto_ptx_count(struct ptx *x, const struct token *opcode);

/* Makes the error that was reported one of the current kernel, and not of the file. `word` is its first word. Returns
 * false if memory is exhausted. */
bool pto_ptx_keep_problem(struct ptx *x, const struct token *word);

/* Records the error that was reported in the statement that begins at `start`, and moves the text to the next
 * statement. Returns false if the end of the statement is not found or memory is exhausted. */
bool pto_ptx_recover(struct ptx *x, const struct text *start);

/* Moves the survey of the current kernel to the kernel, sorted. Returns false if memory is exhausted. */
bool pto_ptx_end_survey(struct ptx *x);

/* Parses a program without kernels into x->program. */
bool pto_ptx_parse(struct ptx *x);

/* Parses the statements of a kernel, after the brace that opens its body, up to the brace that closes it. */
bool pto_ptx_parse_body(struct ptx *x);

/* Parses the whole text into x->module. */
bool pto_ptx_parse_module(struct ptx *x);

#endif
