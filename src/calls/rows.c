/* SPDX-License-Identifier: MIT */
/* Runs plans over the rows of matrices, and checks their operands. */
#include "calls/plan.h"

/* Returns the operand's next row, or NULL if the operand is absent. */
static ALWAYS_INLINE const void *next_source(const void *p, ptrdiff_t step) {
    return p != NULL ? (const u8 *)p + step : NULL;
}

static ALWAYS_INLINE void *next_result(void *p, ptrdiff_t step) {
    return p != NULL ? (u8 *)p + step : NULL;
}

static pto_operands next_row(const pto_operands *o, const pto_steps *steps) {
    pto_operands next;
    for (size_t i = 0; i < PTO_SOURCES; ++i) next.src[i] = next_source(o->src[i], steps->src[i]);
    for (size_t i = 0; i < PTO_RESULTS; ++i) next.dst[i] = next_result(o->dst[i], steps->dst[i]);
    return next;
}

static bool has_more_operands(const pto_operands *o) {
    return o->src[3] != NULL || o->dst[1] != NULL;
}

/* Runs a plan whose operands pto_run() can pass. The operands stay in registers, because a short row takes little
 * longer than preparing its operands. */
static void run_rows(const pto_plan *plan, const pto_operands *o, const pto_steps *steps, size_t n,
                     size_t rows) {
    const void *a = o->src[0], *b = o->src[1], *m = o->src[2];
    void *dst = o->dst[0];
    for (; rows > 1; --rows) {
        pto_run(plan, a, b, m, dst, n);
        a = next_source(a, steps->src[0]);
        b = next_source(b, steps->src[1]);
        m = next_source(m, steps->src[2]);
        dst = next_result(dst, steps->dst[0]);
    }
    pto_run(plan, a, b, m, dst, n);
}

static void run_operand_rows(const pto_plan *plan, const pto_operands *o, const pto_steps *steps, size_t n,
                             size_t rows) {
    pto_operands at = *o;
    for (; rows > 1; --rows) {
        pto_run_operands(plan, &at, n);
        at = next_row(&at, steps);
    }
    pto_run_operands(plan, &at, n);
}

/* No pointer is advanced past the last row, because there may be no memory after it. */
void pto_run_rows(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps, size_t n,
                  size_t rows) {
    if (rows == 0) return;
    if (has_more_operands(operands))
        run_operand_rows(plan, operands, steps, n, rows);
    else
        run_rows(plan, operands, steps, n, rows);
}

/* ---- checks ---- */

/* The largest span of an operand in bytes, from its lowest row to its highest, gaps between rows included. */
#define MAX_SPAN (SIZE_MAX / 2)

/* The rows of an operand. */
struct row_span {
    struct operand first; /* the first row */
    struct operand span;  /* from the lowest byte to the highest byte of all rows */
    ptrdiff_t step;       /* from a row to the next, in bytes */
    size_t row_distance;  /* the magnitude of `step` */
    bool present;         /* false if the operand is absent */
};

/* Sets all members of *s except `present`. Returns false if the operand's span exceeds MAX_SPAN. */
static bool set_row_span(struct row_span *s, const void *p, ptrdiff_t step, u8 shape, size_t n, size_t rows) {
    const size_t bits = (size_t)1 << ((shape & SHAPE_WIDTH) - 1);
    size_t others;
    s->first = operand_bits(p, bits, shape & SHAPE_SCALAR ? 1 : n);
    s->step = step;
    s->row_distance = step < 0 ? 0 - (size_t)step : (size_t)step;
    if (rows > 1 && s->row_distance > (MAX_SPAN - s->first.bytes) / (rows - 1)) return false;
    others = (rows - 1) * s->row_distance;
    s->span = s->first;
    s->span.bytes += others;
    if (step < 0) s->span.begin -= others;
    return true;
}

/* Returns whether two operands with the same step do not overlap. With `in_place`, row i of one may lie exactly on row
 * i of the other. */
static bool same_step_disjoint(const struct row_span *a, const struct row_span *b, size_t rows,
                               bool in_place) {
    const bool swap = b->first.begin - a->first.begin > MAX_SPAN;
    const struct operand low = swap ? b->first : a->first, high = swap ? a->first : b->first;
    const size_t distance = high.begin - low.begin, row_distance = a->row_distance;
    size_t reach;
    if (distance < low.bytes) {
        if (!in_place || distance != 0 || low.bits != high.bits) return false;
        return rows == 1 || (row_distance >= low.bytes && row_distance >= high.bytes);
    }
    if (rows == 1 || row_distance == 0) return true;
    /* Row `reach` is the first row of the lower operand that ends after the beginning of row 0 of the higher operand.
     * Either there is no such row, or it must not begin before the end of that row 0. */
    reach = (distance - low.bytes) / row_distance + 1;
    return reach >= rows || reach * row_distance >= distance + high.bytes;
}

static bool row_spans_disjoint(const struct row_span *a, const struct row_span *b, size_t rows,
                               bool in_place) {
    if (!a->present || !b->present || disjoint(a->span, b->span)) return true;
    return (rows == 1 || a->step == b->step) && same_step_disjoint(a, b, rows, in_place);
}

enum { ALL = PTO_SOURCES + PTO_RESULTS };

/* The operands of a plan as one list, sources first. */
struct listed {
    const void *p[ALL];
    ptrdiff_t step[ALL];
    u8 shape[ALL];
};

static struct listed list_operands(const struct plan_shapes *shapes, const pto_operands *operands,
                                   const pto_steps *steps) {
    struct listed l;
    for (size_t i = 0; i < PTO_SOURCES; ++i) {
        l.p[i] = operands->src[i];
        l.step[i] = steps->src[i];
        l.shape[i] = shapes->src[i];
    }
    for (size_t i = 0; i < PTO_RESULTS; ++i) {
        l.p[PTO_SOURCES + i] = operands->dst[i];
        l.step[PTO_SOURCES + i] = steps->dst[i];
        l.shape[PTO_SOURCES + i] = shapes->dst[i];
    }
    return l;
}

/* Returns PTO_ERR_NULL if `needed` is set and a required operand is missing, PTO_ERR_MODIFIER if there is an operand
 * that the plan does not have, otherwise PTO_OK. */
static pto_status operands_status(const struct listed *l, bool needed) {
    for (size_t i = 0; needed && i < ALL; ++i)
        if (l->p[i] == NULL && l->shape[i] != 0 && !(l->shape[i] & SHAPE_OPTIONAL)) return PTO_ERR_NULL;
    for (size_t i = 0; i < ALL; ++i)
        if (l->p[i] != NULL && l->shape[i] == 0) return PTO_ERR_MODIFIER;
    return PTO_OK;
}

static pto_status row_spans_status(const struct listed *l, size_t n, size_t rows) {
    struct row_span row_spans[ALL];
    for (size_t i = 0; i < ALL; ++i) {
        row_spans[i].present = l->p[i] != NULL;
        if (row_spans[i].present && !set_row_span(&row_spans[i], l->p[i], l->step[i], l->shape[i], n, rows))
            return PTO_ERR_SIZE;
    }
    for (size_t d = PTO_SOURCES; d < ALL; ++d) {
        for (size_t i = 0; i <= d; ++i) {
            /* If i == d, this checks that the rows of one result do not overlap each other: row k may lie only on row
             * k. A result must not overlap the other result, even in place. */
            const bool in_place = i == d || (i < PTO_SOURCES && !(l->shape[i] & SHAPE_DISJOINT));
            if (!row_spans_disjoint(&row_spans[d], &row_spans[i], rows, in_place)) return PTO_ERR_OVERLAP;
        }
    }
    return PTO_OK;
}

pto_status pto_rows_check(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                          size_t n, size_t rows) {
    struct plan_shapes shapes;
    struct listed l;
    pto_status status;
    if (plan == NULL || operands == NULL || steps == NULL) return PTO_ERR_NULL;
    memcpy(&shapes, &plan->priv[SHAPE_WORD], sizeof shapes);
    l = list_operands(&shapes, operands, steps);
    status = operands_status(&l, n != 0 && rows != 0);
    if (status != PTO_OK) return status;
    if (n > MAX_LANES || (shapes.group != 0 && n % shapes.group != 0)) return PTO_ERR_SIZE;
    return n == 0 || rows == 0 ? PTO_OK : row_spans_status(&l, n, rows);
}
