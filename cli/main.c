/* SPDX-License-Identifier: MIT */
/* The command `pto`: runs the subcommand, prints help and version, and reports errors when writing the output. */
#include "command.h"

#include "platform.h"
#include "safe_text.h"

#include <pto/version.h>

#include <errno.h>
#include <string.h>

/* The list of subcommands. Each has its own source file and an entry in pto.1 and pto.bash; a test checks these. */
static const struct command *const commands[] = {
#ifdef PTO_HAS_PROGRAM
    &command_eval,   &command_run,   &command_launch,
#endif
    &command_info,   &command_forms, &command_explain, &command_table,
    &command_digest, &command_diff,  &command_vectors, NULL,
};

static const struct command *find(const char *name) {
    for (size_t i = 0; commands[i] != NULL; ++i)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static void help(FILE *out) {
    fputs("usage: pto COMMAND [ARGUMENT]...\n"
          "Runs, explains and lists PTX and PTO instructions exactly, and compares the results of two "
          "machines.\n\n",
          out);
    for (size_t i = 0; commands[i] != NULL; ++i)
        fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\npto COMMAND --help prints options and an example. pto --version prints the library's version.\n"
          "Exit status: 0, success; 1, results differ or something is illegal; 2, wrong usage.\n",
          out);
}

static void help_on(const struct command *command) {
    printf("usage: pto %s%s%s\n%s.\n", command->name, *command->arguments != '\0' ? " " : "",
           command->arguments, command->summary);
    if (*command->options != '\0') printf("\n%s", command->options);
    if (command->more_help != NULL) command->more_help();
    printf("\nexample:\n  %s\n", command->example);
}

/* Returns whether an argument is --help or -h. Arguments after "--" do not count. */
static bool asks_for_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static int no_command(const char *name) {
    fputs("pto: ", stderr);
    if (name != NULL) put_safe_string(stderr, name);
    fprintf(stderr, "%sexpected a command%s\n\n", name != NULL ? ": " : "",
            name != NULL ? ", --help or --version" : "");
    help(stderr);
    return STATUS_ERROR;
}

static int run(int argc, char **argv) {
    const char *const name = argc > 1 ? argv[1] : NULL;
    const struct command *command;
    if (name == NULL) return no_command(name);
    if (strcmp(name, "--version") == 0) {
        printf("pto %s\n", pto_version());
        return STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2)) {
        help(stdout);
        return STATUS_OK;
    }
    if (strcmp(name, "help") == 0) {
        command = find(argv[2]);
        if (command == NULL) return no_command(argv[2]);
        help_on(command);
        return STATUS_OK;
    }
    command = find(name);
    if (command == NULL) return no_command(name);
    if (asks_for_help(argc - 1, argv + 1)) {
        help_on(command);
        return STATUS_OK;
    }
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv) {
    int status;
    platform_start();
    command_prefix = "pto ";
    status = run(argc, argv);
    if ((fflush(stdout) == 0 && ferror(stdout) == 0) || is_reader_gone(errno)) return status;
    fprintf(stderr, "pto: cannot write the output: %s\n", strerror(errno));
    return STATUS_ERROR;
}
