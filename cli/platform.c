/* SPDX-License-Identifier: MIT */
/* Functions whose implementation depends on the operating system. */
#include "platform.h"

#include <errno.h>
#include <sys/stat.h>

#ifdef _WIN32
#    include <direct.h>
#    include <fcntl.h>
#    include <io.h>
#    include <windows.h>

/* Windows 10 and later interpret escape sequences only if this mode is set. */
static void interpret_escapes(DWORD stream) {
    const HANDLE console = GetStdHandle(stream);
    DWORD mode;
    if (GetConsoleMode(console, &mode) != 0)
        (void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void platform_start(void) {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) (void)_setmode(descriptor, _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
    interpret_escapes(STD_OUTPUT_HANDLE);
    interpret_escapes(STD_ERROR_HANDLE);
}

bool is_reader_gone(int error) {
    return error == EPIPE ||
           (error == EINVAL && GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE);
}

bool make_folder(const char *path) {
    return _mkdir(path) == 0;
}
#else
void platform_start(void) {}

bool is_reader_gone(int error) {
    (void)error;
    return false;
}

bool make_folder(const char *path) {
    return mkdir(path, 0777) == 0;
}
#endif
