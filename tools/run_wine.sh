#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a Windows program with wine: run_wine.sh PROGRAM.exe [ARGUMENT...]. Unless WINEPREFIX names a folder, wine's
# configuration is not the user's own but lies below the folder for temporary files. It must not lie in the source tree:
# its drive z: is a link to /, and tools that follow links would read the whole machine.
set -euo pipefail
export WINEPREFIX=${WINEPREFIX:-${TMPDIR:-/tmp}/libpto-wine-$EUID}
export WINEDEBUG=-all # otherwise wine writes its own messages to stderr
exec wine "$@"
