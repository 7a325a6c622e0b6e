#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests pto_ggml.c with ggml, which it builds from the source package of llama-cpp-python, and GGUF files of libpto with
# ggml, the package gguf and llama.cpp. `./run integrations ggml` runs this; tools/run/integrations.sh explains the
# variables. The source and the built libraries stay in build/ggml.
set -euo pipefail
here=integrations/ggml
folder=$PWD/build/ggml
tree=$folder/source/vendor/llama.cpp/ggml
say() { echo "integrations: ggml: $*"; }

# fetch: unpacks ggml from the source package into build/ggml/source, unless it is there already. pip computes the
# metadata of the package, for which requirements.txt has scikit-build-core.
fetch()
{
    local state
    state=$(cksum <"$here/source.txt")
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$state" ]]; then return; fi
    rm -rf "$folder"
    mkdir -p "$folder/source"
    "$PYTHON" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --no-build-isolation \
        --require-hashes -r "$here/source.txt" -d "$folder/package" || return 1
    tar xzf "$folder"/package/*.tar.gz -C "$folder/source" --strip-components 1 --wildcards '*/vendor/llama.cpp/ggml/*' \
        '*/vendor/llama.cpp/tests/test-quantize-fns.cpp'
    rm -rf "$folder/package"
    echo "$state" >"$folder/complete"
}

# version PART: prints MAJOR, MINOR or PATCH of ggml's version.
version() { sed -nE "s/^set\(GGML_VERSION_$1 ([0-9]+)\).*/\1/p" "$tree/CMakeLists.txt"; }

# compile OBJECT FILE OPTION...: compiles a file of ggml, unless the object is there already.
compile()
{
    local object=$1 file=$tree/src/$2 tool=(g++ -std=gnu++17)
    shift 2
    if [[ -e $object ]]; then return; fi
    if [[ $file == *.c ]]; then tool=(gcc -std=gnu11); fi
    "${tool[@]}" -DNDEBUG -D_GNU_SOURCE -fPIC -w -I"$folder" -I"$tree/include" -I"$tree/src" "$@" -c "$file" \
        -o "$object.part"
    mv "$object.part" "$object"
}

# build_ggml: builds libggml-base.so with ggml-quants.c compiled as for a release, and libggml-native.so with
# -march=native in addition. ggml's CMake files use -march=native only for libggml-cpu, which has no functions of its own
# for these two types. The other files are not optimized, because that takes longer than the tests.
build_ggml()
{
    local file number objects=()
    number=$(version MAJOR).$(version MINOR).$(version PATCH)
    printf '#define GGML_VERSION "%s"\n#define GGML_COMMIT "unknown"\n' "$number" >"$folder/ggml-version.h"
    for file in ggml.c ggml.cpp ggml-alloc.c ggml-backend.cpp ggml-backend-meta.cpp ggml-threading.cpp gguf.cpp; do
        objects+=("$folder/$file.o")
        compile "$folder/$file.o" "$file" &
        if [[ $(jobs -rp | wc -l) -ge 2 ]]; then wait -n; fi
    done
    compile "$folder/ggml-quants.c.o" ggml-quants.c -O3
    compile "$folder/ggml-quants.native.o" ggml-quants.c -O3 -march=native
    wait
    g++ -shared -o "$folder/libggml-base.so" "${objects[@]}" "$folder/ggml-quants.c.o" -Wl,--no-undefined -lm
    g++ -shared -o "$folder/libggml-native.so" "${objects[@]}" "$folder/ggml-quants.native.o" -Wl,--no-undefined -lm
}

# build_tests: builds the adapter and the programs that compare it with ggml.
build_tests()
{
    local strict=(-O2 -Wall -Wextra -Wconversion -Werror) library
    library=$(realpath "$BUILD")
    gcc -std=c11 -D_GNU_SOURCE -ffp-contract=off "${strict[@]}" -Iinclude "$here"/{compare,formats,pto_ggml}.c \
        -o "$folder/compare" "$library/libpto.a" -lm -ldl -lpthread
    gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -DNDEBUG -Iinclude "$here"/{measure,formats,pto_ggml}.c \
        -o "$folder/measure" "$library/libpto.a" -lm -ldl -lpthread
    gcc -std=c11 "${strict[@]}" -DNDEBUG -fPIC -shared -Iinclude "$here"/{preload,pto_ggml}.c \
        -o "$folder/libpto-ggml.so" -L"$library" -lpto -Wl,-rpath,"$library"
    g++ -std=c++17 -O2 -Wall -Wextra -Werror -I"$tree/include" "$here/read_gguf.cpp" \
        -o "$folder/read_gguf" -L"$folder" -lggml-base -Wl,-rpath,"$folder"
}

# run_tests_of_ggml: runs ggml's own test of quantization, with the libraries of the package libggml-python, without and
# with libpto-ggml.so. The test must succeed, and print the same errors of all types.
run_tests_of_ggml()
{
    local package run
    package=$("$PYTHON" -c 'import libggml; print(libggml.__path__[0])')
    g++ -std=gnu++17 -O2 -w -I"$package/include" "$folder/source/vendor/llama.cpp/tests/test-quantize-fns.cpp" \
        -o "$folder/test-quantize-fns" -L"$package/lib64" -lggml -lggml-cpu -lggml-base -Wl,-rpath,"$package/lib64"
    "$folder/test-quantize-fns" -v >"$folder/tests-before.log" 2>&1
    LD_PRELOAD=$folder/libpto-ggml.so "$folder/test-quantize-fns" -v >"$folder/tests-after.log" 2>&1
    diff "$folder/tests-before.log" "$folder/tests-after.log"
    run=$(grep -c '^Testing' "$folder/tests-after.log")
    say "ggml's test-quantize-fns: $run types, the same errors with libpto, $(tail -n 1 "$folder/tests-after.log")"
}

# compare LIBRARY [fused]: prints the sums of what `compare` prints, and shows all of it if results differ.
compare()
{
    local log=$folder/compare-$1.log
    "$folder/compare" "$folder/$1.so" "${@:2}" >"$log" || {
        cat "$log"
        return 1
    }
    cat "$log"
    awk -v name="$1" '{ compared += $(NF - 3) }
        END { printf "integrations: ggml: %s: %d results compared, 0 differ\n", name, compared }' \
        <(sed -E 's/;.*//' "$log")
}

fetch || {
    say "skipped: pip cannot get the package of $here/source.txt"
    exit 0
}
build_ggml
build_tests
compare libggml-base &
compare libggml-native fused
wait $!
run_tests_of_ggml
GGML_FOLDER=$folder "$PYTHON" -m pytest -q -rs -c pyproject.toml "$here"
"$folder/measure" "$folder/libggml-base.so" | sed 's/^/integrations: ggml: /'
