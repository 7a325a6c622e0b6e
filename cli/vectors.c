/* SPDX-License-Identifier: MIT */
/* pto vectors: writes inputs and expected results of forms and block rules, for the tests of other projects. */
#include "digest_share.h"
#include "platform.h"
#include "vectors_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    enum vector_format format;
    struct vector_settings vectors;
    const char *folder; /* of --output, or NULL */
    bool digest, list, has_isa;
    pto_isa isa;
};

/* ---- tables ---- */

static int make(const struct settings *settings, const struct vector_form *form, struct vector_table *table) {
    const pto_status status = form->kind == VECTORS_BLOCK
                                  ? vector_table_blocks(&form->as.block, &settings->vectors, table)
                                  : vector_table_make(form, &settings->vectors, table);
    if (status == PTO_OK) return STATUS_OK;
    free(table->cells);
    (void)report_error(&command_vectors, "%s: %s", form->name, pto_strerror(status));
    return STATUS_ERROR;
}

/* Writes the table of a form. Returns STATUS_ERROR if it cannot be made, or if the file cannot be written. */
static int put_table(const struct settings *settings, const struct vector_form *form, FILE *out,
                     size_t position) {
    struct vector_table table;
    if (make(settings, form, &table) != STATUS_OK) return STATUS_ERROR;
    vectors_write(out, settings->format, form, &settings->vectors, &table, position);
    free(table.cells);
    return ferror(out) == 0 ? STATUS_OK : STATUS_ERROR;
}

static size_t count_wanted(const bool *wanted, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) found += wanted[i];
    return found;
}

/* Writes all wanted tables to standard output. main() reports an error of writing. */
static int put_all(const struct settings *settings, const struct vector_list *list, const bool *wanted) {
    const size_t count = count_wanted(wanted, list->count);
    const bool is_shown = isatty(STDOUT_FILENO) == 0; /* progress would disturb the output on a terminal */
    size_t position = 0;
    int status = STATUS_OK;
    if (settings->format != VECTORS_JSON && count > 1)
        return report_error(&command_vectors,
                            "%zu forms: expected one form for %s; --output DIR writes a file for each", count,
                            vector_format_name(settings->format));
    vectors_begin(stdout, settings->format, &settings->vectors);
    for (size_t i = 0; status == STATUS_OK && i < list->count; ++i) {
        if (!wanted[i]) continue;
        if (is_shown) show_progress(list->items[i].name, position, count);
        status = put_table(settings, &list->items[i], stdout, position++);
    }
    vectors_end(stdout, settings->format);
    if (is_shown) clear_progress();
    return status;
}

/* ---- a file for each form ---- */

/* Returns the path of a form's file, which the caller frees. Colons, which some file systems lack, become '-'. */
static char *path_of(const struct settings *settings, const struct vector_form *form) {
    const char *const ending = vector_format_name(settings->format);
    const size_t size = strlen(settings->folder) + FORM_NAME_SIZE + sizeof "/.json";
    char *const path = malloc(size);
    if (path == NULL) out_of_memory();
    snprintf(path, size, "%s/%s.%s", settings->folder, form->name, ending);
    for (char *at = path + strlen(settings->folder); *at != '\0'; ++at)
        if (*at == ':') *at = '-';
    return path;
}

/* Writes a file. After an error it removes the file and reports the error. */
static int put_file(const struct settings *settings, const struct vector_form *form, const char *path) {
    struct vector_table table;
    FILE *out;
    bool good;
    if (make(settings, form, &table) != STATUS_OK) return STATUS_ERROR;
    out = fopen(path, "wb");
    if (out == NULL) {
        free(table.cells);
        return report_error(&command_vectors, "%s: %s", path, strerror(errno));
    }
    vectors_begin(out, settings->format, &settings->vectors);
    vectors_write(out, settings->format, form, &settings->vectors, &table, 0);
    vectors_end(out, settings->format);
    free(table.cells);
    good = ferror(out) == 0;
    good = fclose(out) == 0 && good;
    if (good) return STATUS_OK;
    (void)report_error(&command_vectors, "%s: it cannot be written: %s", path, strerror(errno));
    (void)remove(path);
    return STATUS_ERROR;
}

static int put_files(const struct settings *settings, const struct vector_list *list, const bool *wanted) {
    const size_t count = count_wanted(wanted, list->count);
    size_t position = 0;
    int status = STATUS_OK;
    if (!make_folder(settings->folder) && errno != EEXIST)
        return report_error(&command_vectors, "%s: %s", settings->folder, strerror(errno));
    for (size_t i = 0; status == STATUS_OK && i < list->count; ++i) {
        char *path;
        if (!wanted[i]) continue;
        show_progress(list->items[i].name, position++, count);
        path = path_of(settings, &list->items[i]);
        status = put_file(settings, &list->items[i], path);
        free(path);
    }
    clear_progress();
    return status;
}

/* ---- digests and lists ---- */

/* Prints a line for each argument: the sum of the digests of its forms, and the numbers of forms and rows. */
static int print_digest(const struct settings *settings, const struct vector_list *list, const bool *wanted,
                        const char *text) {
    const size_t count = count_wanted(wanted, list->count);
    struct digest128 sum = {0, 0};
    size_t position = 0, rows = 0;
    for (size_t i = 0; i < list->count; ++i) {
        struct vector_table table;
        if (!wanted[i]) continue;
        show_progress(list->items[i].name, position++, count);
        if (make(settings, &list->items[i], &table) != STATUS_OK) return STATUS_ERROR;
        digest_add(&sum, named_digest(list->items[i].name, table.cells,
                                      table.rows * table.width * sizeof *table.cells));
        rows += table.rows;
        free(table.cells);
    }
    clear_progress();
    printf("%016" PRIx64 "%016" PRIx64 " %6zu %10zu  %s\n", sum.high, sum.low, count, rows, text);
    return fflush(stdout) == 0 ? STATUS_OK : STATUS_ERROR;
}

static int print_digests(const struct settings *settings, const struct vector_list *list, bool *wanted,
                         int argc, char **argv) {
    int status = STATUS_OK;
    if (!can_digest())
        return report_error(&command_vectors,
                            "not available: this command was made without xxHash (Debian: libxxhash-dev)");
    for (int i = optind; status == STATUS_OK && i < argc; ++i) {
        memset(wanted, 0, list->count * sizeof *wanted);
        status = select_vector_forms(&command_vectors, list, argv[i], wanted);
        if (status == STATUS_OK) status = print_digest(settings, list, wanted, argv[i]);
    }
    return status;
}

static int print_list(const struct vector_list *list, const bool *wanted) {
    for (size_t i = 0; i < list->count; ++i) {
        char source[VECTOR_SOURCE_SIZE];
        if (!wanted[i]) continue;
        vector_source(&list->items[i], source);
        printf("%-55s %s\n", list->items[i].name, source);
    }
    return STATUS_OK;
}

/* ---- the command ---- */

static int write_selected(const struct settings *settings, const struct vector_list *list, bool *wanted,
                          int argc, char **argv) {
    int status = STATUS_OK;
    if (optind == argc && !settings->list)
        return report_error(&command_vectors, "expected a form such as cvt.rn.bf16.f32; --list prints all");
    for (int i = optind; status == STATUS_OK && i < argc; ++i)
        status = select_vector_forms(&command_vectors, list, argv[i], wanted);
    if (status != STATUS_OK) return status;
    if (optind == argc) memset(wanted, 1, list->count * sizeof *wanted);
    if (settings->list) return print_list(list, wanted);
    if (settings->digest) return print_digests(settings, list, wanted, argc, argv);
    return (settings->folder != NULL ? put_files : put_all)(settings, list, wanted);
}

static int select_and_write(const struct settings *settings, int argc, char **argv) {
    struct vector_list list;
    bool *wanted;
    int status = STATUS_ERROR;
    list_vector_forms(&list);
    wanted = calloc(list.count, sizeof *wanted);
    if (wanted == NULL) out_of_memory();
    if (!settings->has_isa || pto_isa_use(settings->isa) == PTO_OK)
        status = write_selected(settings, &list, wanted, argc, argv);
    free(wanted);
    free(list.items);
    return status;
}

static int read_format(const char *text, enum vector_format *format) {
    for (int f = 0; f < VECTOR_FORMATS; ++f) {
        *format = (enum vector_format)f;
        if (strcmp(text, vector_format_name(*format)) == 0) return STATUS_OK;
    }
    return report_error(&command_vectors, "%s: expected json, csv or hex", text);
}

/* Reads a number of at most `limit`. */
static int read_number(const char *option, const char *text, uint32_t limit, uint32_t *number) {
    char *end;
    unsigned long long value;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || errno != 0 || *end != '\0' || value > limit)
        return report_error(&command_vectors, "%s: expected a number up to %" PRIu32 " after %s", text, limit,
                            option);
    *number = (uint32_t)value;
    return STATUS_OK;
}

static int run(int argc, char **argv) {
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
        {"count", required_argument, NULL, 'n'},  {"seed", required_argument, NULL, 's'},
        {"isa", required_argument, NULL, 'i'},    {"digest", no_argument, NULL, 'd'},
        {"list", no_argument, NULL, 'l'},         {NULL, 0, NULL, 0}};
    const uint32_t count_limit = UINT32_C(1) << 24, usual_count = 4096;
    struct settings settings = {.format = VECTORS_JSON, .vectors = {usual_count, 0}};
    int option;
    while ((option = next_option(&command_vectors, argc, argv, options)) != -1) {
        int status = STATUS_OK;
        if (option == 'f') status = read_format(optarg, &settings.format);
        if (option == 'o') settings.folder = optarg;
        if (option == 'n') status = read_number("--count", optarg, count_limit, &settings.vectors.count);
        if (option == 's') status = read_number("--seed", optarg, UINT32_MAX, &settings.vectors.seed);
        if (option == 'i' && !find_isa(&command_vectors, optarg, &settings.isa)) status = STATUS_ERROR;
        if (option == '?' || status != STATUS_OK) return STATUS_ERROR;
        settings.has_isa = settings.has_isa || option == 'i';
        settings.digest = settings.digest || option == 'd';
        settings.list = settings.list || option == 'l';
    }
    return select_and_write(&settings, argc, argv);
}

const struct command command_vectors = {
    .name = "vectors",
    .arguments = "[--format json|csv|hex] [--count N] [--seed N] [--output DIR] [--isa ISA] [--digest | "
                 "--list] FORM...",
    .summary = "writes inputs and expected results of forms and block rules, for the tests of other projects",
    .options =
        "  FORM          a form's name, a pattern such as 'cvt.*.f16', a cast such as cast.rn.e4m3fnuz.f32,\n"
        "                or a block rule such as nv.te\n"
        "  --format      json (the default), csv, or hex, which $readmemh reads\n"
        "  --count N     how many pseudo-random inputs of 32 or 64 bits; the default is 4096. Block rules "
        "have\n"
        "                a 16th of it\n"
        "  --seed N      choose other pseudo-random inputs; the default is 0\n"
        "  --output DIR  write a file for each form to this folder\n"
        "  --isa ISA     use this instruction set\n"
        "  --digest      print, for each FORM, the digest, the number of forms and the number of rows\n"
        "  --list        list the forms and the documents that define them\n"
        "Inputs of up to 16 bits are complete. The output is the same on every machine and instruction set;\n"
        "docs/vectors.md describes the formats.\n",
    .example = "pto vectors cvt.rn.satfinite.e4m3x2.f32 --format csv",
    .run = run,
};
