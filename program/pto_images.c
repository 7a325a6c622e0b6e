/* SPDX-License-Identifier: MIT */
/*
 * Whole predicate images in programs over lanes. A mask of the text is a register with the lowest bit of each lane,
 * which is all that most operations read. Later steps of ppack, punpack and pbitcast may read the other bits of the
 * image. If these bits may be 1, the mask has a second register, which is hidden: its image, with the bits for all
 * bytes. It is a mask for elements of 8 bits, so the steps for masks compute it.
 */
#include "pto.h"

#include <string.h>

enum { IMAGE_LANE = 8 };

static int new_image(struct pto_front *f) {
    return pto_value_hidden(f, KIND_MASK, PTO_B8, IMAGE_LANE);
}

static bool append(struct pto_front *f, const struct pto_call *c, const struct step *s) {
    return !f->text.failed && (pto_ir_step(f->program, s, &c->opcode) || pto_no_memory(f));
}

/* Appends a step that spreads the lanes of a mask to an image, and returns the image. Returns ABSENT after an error. */
static int spread(struct pto_front *f, const struct pto_call *c, int mask) {
    const unsigned lane = f->values[mask].type.lane;
    const int image = new_image(f);
    struct step s = pto_step_of(pto_step_pbitcast, c->opcode.line);
    s.src[0] = mask;
    s.dst[0] = image;
    s.parameters.vector = (struct vector_parameters){.bits = IMAGE_LANE, .lane = {lane, IMAGE_LANE}};
    if (image == ABSENT || !append(f, c, &s)) return ABSENT;
    f->values[mask].image = image;
    return image;
}

int pto_image_of(struct pto_front *f, const struct pto_call *c, int mask) {
    if (mask == ABSENT || f->values[mask].type.lane == IMAGE_LANE) return mask;
    return f->values[mask].image != ABSENT ? f->values[mask].image : spread(f, c, mask);
}

bool pto_image_step(struct pto_front *f, const struct pto_call *c, const struct step *lanes) {
    struct step s = *lanes;
    s.parameters.vector.bits = IMAGE_LANE;
    s.parameters.vector.lane[0] = s.parameters.vector.lane[1] = IMAGE_LANE;
    for (size_t i = 0; i < CALL_OPERANDS; i++) s.src[i] = pto_image_of(f, c, c->src[i]);
    for (size_t i = 0; i < c->result_count; i++) {
        s.dst[i] = new_image(f);
        if (s.dst[i] == ABSENT) return false;
        f->values[c->dst[i]].image = s.dst[i];
    }
    return append(f, c, &s);
}

/* ---- images that nothing reads ---- */

static bool is_image(const struct pto_front *f, int reg) {
    return reg != ABSENT && f->program->regs[reg].kind == REG_HIDDEN &&
           f->values[reg].type.kind == KIND_MASK && f->values[reg].type.lane == IMAGE_LANE;
}

/* Returns whether all results of the step are images that no later step reads. */
static bool is_unread(const struct pto_front *f, const struct step *s) {
    for (size_t i = 0; i < CALL_RESULTS; i++)
        if (s->dst[i] != ABSENT && (!is_image(f, s->dst[i]) || f->values[s->dst[i]].is_read)) return false;
    return is_image(f, s->dst[0]);
}

void pto_images_drop_unread(struct pto_front *f) {
    pto_program *p = f->program;
    size_t first = p->step_count;
    for (size_t i = p->step_count; i-- > 0;) {
        const struct step s = p->steps[i];
        if (is_unread(f, &s)) continue;
        for (size_t k = 0; k < STEP_SOURCES; k++)
            if (is_image(f, s.src[k])) f->values[s.src[k]].is_read = true;
        p->steps[--first] = s;
    }
    p->step_count -= first;
    if (first != 0) memmove(p->steps, p->steps + first, p->step_count * sizeof *p->steps);
}
