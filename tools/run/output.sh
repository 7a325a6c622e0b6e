# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Functions for messages, and for steps that show their progress. Sourced by ./run.

say() { printf '\n== %s\n' "$*"; }

die()
{
    echo "run: $*" >&2
    exit 1
}

# duration SECONDS: prints "45 s" or "3 min 20 s".
duration()
{
    if [[ $1 -lt 60 ]]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# quietly LOG COMMAND...: appends the command's output to LOG, and prints that output if the command fails.
quietly()
{
    local log=$1 start=0
    shift
    if [[ -e $log ]]; then start=$(stat -c %s "$log"); fi
    "$@" >>"$log" 2>&1 || {
        tail -c +$((start + 1)) "$log"
        return 1
    }
}

# progress_in LOG: prints how far the command that writes LOG is: "12/345" from ninja or ctest, or "33%" from pytest.
progress_in()
{
    tail -c 4000 "$1" 2>/dev/null |
        sed -nE 's/^\[([0-9]+\/[0-9]+)\].*/\1/p; s/^ *([0-9]+\/[0-9]+) Test .*/\1/p; s/.*\[ *([0-9]+%)\]$/\1/p' |
        tail -n 1
}

# show_progress LOG EXPECTED: until it is killed, prints a line every 8 seconds; on a terminal it rewrites the same
# line.
show_progress()
{
    local log=$1 expected=$2 start=$SECONDS line
    while sleep 8; do
        line=$(progress_in "$log")
        line="    ${line:+$line, }$(duration $((SECONDS - start))) of about $(duration "$expected")"
        if [[ -t 1 ]]; then printf '\r%-70s' "$line"; else echo "$line"; fi
    done
}

# show_failure LOG: prints a short log completely. Of a long log it prints what failed to build, or otherwise the failed
# tests and the last lines.
show_failure()
{
    if [[ $(wc -l <"$1") -le 300 ]]; then
        cat "$1"
    elif grep -q '^FAILED: ' "$1"; then
        sed -n '/^FAILED: /,/^\[[0-9]*\/[0-9]*\]/p' "$1" | head -n 300
    else
        awk '/^ *[0-9]+\/[0-9]+ Test /{shown = /\*\*\*(Failed|Exception|Timeout|Not Run)/} /^ +Start +[0-9]+:/{shown = 0} shown' "$1"
        tail -n 80 "$1"
    fi
    echo "the whole log: $1"
}

# closing_lines LOG: prints the final summaries of ctest, pytest and lint.
closing_lines()
{
    sed -nE '/% tests passed/p; /^The following tests (FAILED|did not run)/,$p; /^=*[ 0-9a-z,]*(passed|failed|error|skipped)[^=]* in [0-9.]+s/p; /^(lint|integrations|package|abi): /p' "$1"
}

step_number=0
step_count=0
step_failures=()

# step NAME EXPECTED TITLE COMMAND...: runs a command as one of step_count steps. Its output goes to
# build/log/NAME.log. EXPECTED is its expected time in seconds; next time it is replaced by the measured time. A
# failure is shown and added to step_failures. Do not call this where bash ignores errors (in a condition, or before
# || or &&): the command would ignore them too.
step()
{
    local name=$1 expected=$2 title=$3 log=build/log/$1.log start=$SECONDS status progress
    shift 3
    mkdir -p build/log build/times
    expected=$(cat "build/times/$name" 2>/dev/null || echo "$expected")
    step_number=$((step_number + 1))
    printf '\n[%d/%d] %s: about %s (%s since the start)\n' "$step_number" "$step_count" "$title" \
        "$(duration "$expected")" "$(duration "$SECONDS")"
    : >"$log"
    show_progress "$log" "$expected" &
    progress=$!
    # shellcheck disable=SC2064 # $progress must be expanded now
    trap "kill $progress 2>/dev/null" EXIT
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1
    status=$?
    set -e
    kill "$progress" 2>/dev/null
    wait "$progress" 2>/dev/null || true
    trap - EXIT
    if [[ -t 1 ]]; then printf '\r%-70s\r' ''; fi
    if [[ $status -eq 0 ]]; then
        closing_lines "$log"
        echo $((SECONDS - start)) >"build/times/$name"
        echo "    done in $(duration $((SECONDS - start)))"
    else
        show_failure "$log"
        echo "    FAILED after $(duration $((SECONDS - start)))"
        step_failures+=("$title")
    fi
}

# end_steps: succeeds if all steps passed. Otherwise it names those that failed, and fails.
end_steps()
{
    if [[ ${#step_failures[@]} -eq 0 ]]; then
        say "all $step_number steps passed in $(duration $SECONDS)"
    else
        say "${#step_failures[@]} of $step_number steps failed: $(printf '%s; ' "${step_failures[@]}")"
        return 1
    fi
}
