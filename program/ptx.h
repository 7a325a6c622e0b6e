/* SPDX-License-Identifier: MIT */
/* The PTX front end: statements and operands (ptx.c), and what instructions there are (instructions.c). */
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
    struct token token; /* the first one */
    bool negated;       /* !p */
    bool minus;         /* of a number */
    size_t count;       /* of a pair or a group */
    struct token part[PTX_PARTS];
};

struct statement {
    struct token opcode;
    struct operand operand[PTX_OPERANDS];
    size_t count;
    int guard; /* all that decides which lanes take part, or ABSENT */
    bool guard_not;
};

struct ptx {
    struct text text;
    pto_program *program;
    int scopes[PTX_SCOPES]; /* that are open, the outermost one first */
    size_t depth;
    int last_scope;
    int active;                         /* the lanes that have not jumped, ABSENT: all */
    int all, none;                      /* constants */
    size_t waiting;                     /* labels further on that lanes wait at, and the end */
    struct label *labels, **next_label; /* in the order in which they appear */
    void *label_names;                  /* a tree of <search.h>, of the same */
};

/* What the registers of an operand must be. */
struct need {
    pto_dtype type;  /* of the instruction */
    bool bits_alone; /* the register must be declared as untyped bits of that width */
    bool wider;      /* or be wider */
};

/* ---- operands: ABSENT after a complaint, or for the sink ---- */

int pto_ptx_source(struct ptx *x, const struct operand *o, struct need need);
int pto_ptx_result(struct ptx *x, const struct operand *o, struct need need);
int pto_ptx_part_source(struct ptx *x, const struct token *name, struct need need);
int pto_ptx_part_result(struct ptx *x, const struct token *name, struct need need);
/* A predicate, with what `!` makes of it. */
int pto_ptx_predicate(struct ptx *x, const struct operand *o, bool *negated);
/* One that is written. */
int pto_ptx_predicate_result(struct ptx *x, const struct token *name);

/* A step of the statement, guarded as it is. */
bool pto_ptx_step(struct ptx *x, const struct statement *s, struct step *step);

/* Where there is no memory. Returns false. */
bool pto_ptx_no_memory(struct ptx *x);

/* The name of instruction number i, such as "setp"; NULL after the last one. */
const char *pto_ptx_name(size_t i);

/* The row of an instruction; NULL, and a complaint, if there is none. */
struct instruction;
const struct instruction *pto_ptx_row(struct ptx *x, const struct token *opcode);

/* One instruction: its operands are there. */
bool pto_ptx_instruction(struct ptx *x, const struct statement *s, const struct instruction *row);

/* The whole text into the program. */
bool pto_ptx_parse(struct ptx *x);

#endif
