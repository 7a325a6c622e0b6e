/* SPDX-License-Identifier: MIT */
/* The PTX front end: statements and operands (ptx.c), and the table of instructions (instructions.c). */
#ifndef PTO_PROGRAM_PTX_H
#define PTO_PROGRAM_PTX_H

#include "steps.h"

enum { PTX_OPERANDS = 6, PTX_PARTS = 4, PTX_SCOPES = 32 };

enum operand_kind {
    OPERAND_NAME,
    OPERAND_NUMBER,
    OPERAND_SINK, /* _ */
    OPERAND_PAIR, /* p|q */
    OPERAND_GROUP /* {a, b} */
};

struct operand {
    enum operand_kind kind;
    struct token token; /* its first token, after `!` and `-` */
    bool negated;       /* a `!` precedes it */
    bool minus;         /* a `-` precedes the number */
    size_t count;       /* number of parts of a pair or a group */
    struct token part[PTX_PARTS];
};

struct statement {
    struct token opcode;
    struct operand operand[PTX_OPERANDS];
    size_t count;
    int guard; /* the predicate of the lanes that take part, or ABSENT: all do */
    bool guard_not;
};

struct ptx {
    struct text text;
    pto_program *program;
    int scopes[PTX_SCOPES]; /* the open scopes, the outermost one first */
    size_t depth;
    int last_scope;
    int active;                         /* predicate of the lanes that have not jumped; ABSENT: all */
    int always, never;                  /* constant predicates: true, false */
    size_t waiting;                     /* labels ahead where lanes wait, plus each `ret` and `exit` so far */
    struct label *labels, **next_label; /* a list in order of appearance */
    void *label_names;                  /* a tree of <search.h> of the same labels */
};

/* The requirement on the register of an operand. */
struct requirement {
    pto_dtype type;    /* the type that the instruction gives the operand */
    bool untyped_only; /* the register must be declared as untyped bits */
    bool wider;        /* the register may be wider than `type` */
};

/* Returns whether this is the name of a special register. */
bool pto_ptx_is_special(const struct token *name);

/* ---- operands: register numbers; ABSENT after an error, or for the sink `_` ---- */

int pto_ptx_source(struct ptx *x, const struct operand *o, struct requirement need);
int pto_ptx_result(struct ptx *x, const struct operand *o, struct requirement need);
int pto_ptx_part_source(struct ptx *x, const struct token *name, struct requirement need);
int pto_ptx_part_result(struct ptx *x, const struct token *name, struct requirement need);
/* A predicate that is read. Sets *negated if `!` precedes it. */
int pto_ptx_predicate(struct ptx *x, const struct operand *o, bool *negated);
/* A predicate that is written. */
int pto_ptx_predicate_result(struct ptx *x, const struct token *name);

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

/* Parses the whole text into x->program. */
bool pto_ptx_parse(struct ptx *x);

#endif
