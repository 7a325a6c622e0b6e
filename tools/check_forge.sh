#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks what the files for the forge refer to: workflows and hooks use only commands and configurations of ./run that
# exist, actions are pinned by commit, templates are linked, and .git-blame-ignore-revs names commits of this repository.
# The argument is the root of the repository.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
failed=0

complain()
{
    echo "check_forge: $*" >&2
    failed=1
}

mapfile -t files < <(find .github -name '*.yml' -o -name '*.md' | sort)
files+=(.pre-commit-config.yaml)
configurations=" $(./run test list | tr -d '[]"' | tr , ' ') "
commands=" $(./run help | sed -n 's/^\.\/run \([a-z]*\).*/\1/p' | sort -u | paste -sd' ') "
uses=0
while read -r _ command name _; do
    uses=$((uses + 1))
    [[ $commands == *" $command "* ]] || complain "./run has no command $command"
    if [[ $command == test && $name =~ ^[a-z] && " all list turn exhaustive $configurations" != *" $name "* ]]; then
        complain "./run test has no configuration $name"
    fi
done < <(grep -ohE '\./run [a-z]+( [a-z0-9-]+)?' "${files[@]}")
[[ $uses -gt 0 ]] || complain "no use of ./run was found"

while IFS= read -r line; do
    [[ $line =~ @[0-9a-f]{40}\ \#\ v[0-9] ]] || complain "not pinned by a commit and its version: $line"
done < <(grep -hE '^ *(- )?uses: ' .github/workflows/*.yml)

if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
    while read -r commit; do
        git merge-base --is-ancestor "$commit" HEAD 2>/dev/null ||
            complain ".git-blame-ignore-revs: $commit is no commit before HEAD"
    done < <(grep -v '^#' .git-blame-ignore-revs)
fi
if [[ $failed -eq 0 ]]; then echo "forge: $uses uses of ./run in ${#files[@]} files are correct"; fi
exit "$failed"
