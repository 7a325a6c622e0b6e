#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks filled recipes with the tools that are installed. The argument is the folder that libpto-VERSION-recipes.tar.gz
# unpacks to. CONAN names the program conan, if it is not in the path.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"

# checked NAME PROGRAM COMMAND...: runs a command, or says that its program is not installed.
checked()
{
    if ! command -v "$2" >/dev/null; then
        echo "$1: skipped: no program $2"
        return
    fi
    "${@:3}"
    echo "$1: correct"
}

checked "vcpkg (manifest)" python3 python3 -c 'import json; json.load(open("vcpkg/vcpkg.json"))'
checked "homebrew (syntax)" ruby ruby -c homebrew/libpto.rb
# Homebrew wants double quotes.
checked "homebrew (style)" rubocop rubocop --cache false --format quiet --except Style/StringLiterals homebrew/libpto.rb
checked "nix (evaluation)" nix-instantiate nix-instantiate --eval --strict --argstr recipe "$PWD/nix/package.nix" "$tools/stand_in.nix"
checked "conan (build)" "${CONAN:-conan}" "${CONAN:-conan}" create conan
