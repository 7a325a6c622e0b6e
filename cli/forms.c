/* SPDX-License-Identifier: MIT */
/* pto forms: lists the legal forms, as the library enumerates them. */
#include "words.h"

#include <string.h>

/* The output format, and the types that listed forms must have, in the order of the instruction. */
struct settings {
    pto_dtype types[2];
    int count;
    bool json;
};

/* Returns whether a form has the types that the user gave. One type may be the destination or the source; of
 * two, the first is the destination. */
static bool fits(const struct settings *settings, pto_dtype dst, pto_dtype src) {
    if (settings->count == 0) return true;
    if (settings->count == 1) return settings->types[0] == dst || settings->types[0] == src;
    return settings->types[0] == dst && settings->types[1] == src;
}

static void print_json(const char *group, const char *form, pto_dtype dst, pto_dtype src) {
    printf("{\"group\":\"%s\",\"form\":", group);
    put_json_string(stdout, form);
    printf(",\"dst\":\"%s\",\"src\":\"%s\"", pto_dtype_name(dst), pto_dtype_name(src));
}

/* ---- cvt ---- */

/* Returns the type under which cvt forms are listed: the element type of a packed type. */
static pto_dtype of_cvt(pto_dtype type) {
    return type == PTO_F16X2 ? PTO_F16 : type == PTO_BF16X2 ? PTO_BF16 : type;
}

static void print_cvt(pto_cvt_op op, bool json) {
    char name[FORM_NAME_SIZE];
    const char *target = "?";
    int isa = 0;
    cvt_name(op, name);
    if (pto_cvt_since(op, &isa) != PTO_OK || pto_cvt_target(op, &target) != PTO_OK) return;
    if (json) {
        print_json("cvt", name, op.dst, op.src);
        printf(",\"ptx\":\"%d.%d\",\"target\":\"%s\",\"composed\":%s}\n", isa / 10, isa % 10, target,
               pto_cvt_is_ptx(op) ? "false" : "true");
    } else {
        printf("%-55s PTX %d.%d  %s%s\n", name, isa / 10, isa % 10, target,
               pto_cvt_is_ptx(op) ? "" : "  composed of two");
    }
}

static size_t print_cvts(const struct settings *settings) {
    struct settings ours = *settings;
    size_t found = 0;
    for (int i = 0; i < ours.count; ++i) ours.types[i] = of_cvt(ours.types[i]);
    for (size_t i = 0; i < pto_cvt_form_count(); ++i) {
        pto_cvt_op op;
        if (pto_cvt_form(i, &op) != PTO_OK || !fits(&ours, op.dst, op.src)) continue;
        print_cvt(op, settings->json);
        ++found;
    }
    return found;
}

/* ---- setp and set; the library has a PTX ISA version only for packed types, in pto_set_explain() ---- */

static size_t print_setps(const struct settings *settings) {
    size_t found = 0;
    for (size_t i = 0; i < pto_setp_form_count(); ++i) {
        pto_setp_op op;
        char name[FORM_NAME_SIZE];
        if (pto_setp_form(i, &op) != PTO_OK || settings->count == 2 || !fits(settings, op.type, op.type))
            continue;
        if (pto_format_setp(op, name, sizeof name) != PTO_OK) continue;
        ++found;
        if (settings->json) {
            printf("{\"group\":\"setp\",\"form\":\"%s\",\"src\":\"%s\"}\n", name, pto_dtype_name(op.type));
        } else {
            puts(name);
        }
    }
    return found;
}

static void print_set(pto_set_op op, bool json) {
    char name[FORM_NAME_SIZE], words[PTO_EXPLAIN_SIZE];
    const char *since;
    if (pto_format_set(op, name, sizeof name) != PTO_OK) return;
    if (pto_set_explain(op, words, sizeof words) != PTO_OK) return;
    since = strchr(words, '\n');
    if (json) {
        print_json("set", name, op.dtype, op.stype);
        if (since != NULL) {
            fputs(",\"since\":", stdout);
            put_json_string(stdout, since + 1);
        }
        puts("}");
    } else if (since != NULL) {
        printf("%-55s %s\n", name, since + 1);
    } else {
        puts(name);
    }
}

static size_t print_sets(const struct settings *settings) {
    size_t found = 0;
    for (size_t i = 0; i < pto_set_form_count(); ++i) {
        pto_set_op op;
        if (pto_set_form(i, &op) != PTO_OK || !fits(settings, op.dtype, op.stype)) continue;
        print_set(op, settings->json);
        ++found;
    }
    return found;
}

/* ---- the command ---- */

static const struct group {
    const char *name;
    size_t (*print)(const struct settings *settings);
} groups[] = {{"cvt", print_cvts}, {"setp", print_setps}, {"set", print_sets}};
enum { GROUPS = sizeof groups / sizeof *groups };

static const struct group *group_named(const char *name) {
    for (size_t i = 0; i < GROUPS; ++i)
        if (strcmp(groups[i].name, name) == 0) return &groups[i];
    return NULL;
}

/* Reads the arguments: an optional group, then up to two types. */
static int read_settings(int argc, char **argv, const struct group **only, struct settings *settings) {
    *only = optind < argc ? group_named(argv[optind]) : NULL;
    for (int i = optind + (*only != NULL); i < argc; ++i) {
        if (settings->count == 2)
            return report_error(&command_forms,
                                "%s: expected at most two types: the destination, then the source", argv[i]);
        if (!find_type(argv[i], &settings->types[settings->count++]))
            return report_error(&command_forms, "%s: expected a type such as e4m3%s", argv[i],
                                i == optind ? ", or cvt, setp or set" : "");
    }
    return STATUS_OK;
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    struct settings settings = {.count = 0};
    const struct group *only;
    size_t found = 0;
    int option;
    while ((option = next_option(&command_forms, argc, argv, options)) != -1) {
        if (option == '?') return STATUS_ERROR;
        settings.json = true;
    }
    if (read_settings(argc, argv, &only, &settings) != STATUS_OK) return STATUS_ERROR;
    for (size_t i = 0; i < GROUPS; ++i)
        if (only == NULL || only == &groups[i]) found += groups[i].print(&settings);
    if (found != 0) return STATUS_OK;
    fputs("pto forms: no legal form matches\n", stderr);
    return STATUS_DIFFERENT;
}

const struct command command_forms = {
    .name = "forms",
    .arguments = "[--json] [cvt|setp|set] [TYPE [TYPE]]",
    .summary = "lists the legal forms; for cvt, also the first PTX ISA version and target",
    .options = "  --json  print one line of JSON for each form\n"
               "  TYPE    list forms to or from this type; of two types, the first is the destination\n",
    .example = "pto forms cvt e4m3 f32",
    .run = run,
};
