# SPDX-License-Identifier: MIT
# Bash completion for the command pto. Each subcommand has a line below.

_pto()
{
    local word=${COMP_WORDS[COMP_CWORD]} types words
    types="b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64 tf32 e4m3 e5m2 e2m3 e3m2 e2m1 ue8m0 s2f6 ue5m3
        f16x2 bf16x2 u8x4 s8x4 u16x2 s16x2"
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[COMP_CWORD - 1]} == --isa ]]; then
        words="scalar avx2 avx512 neon sve rvv generic"
    elif [[ $COMP_CWORD -eq 1 ]]; then
        words="eval run launch info forms explain table digest diff vectors help --help --version"
    else
        case ${COMP_WORDS[1]} in
        eval) words="--all-isas cvt. cast. setp. set. add. max. pto." ;;
        run) words="--input --output --lanes --trace --profile --isa --verify --kernel --blocks --padding --strict
            --as-recorded --vmi-compare" ;;
        launch) words="--input --output --grid --block --shared --threads --trace --isa --verify" ;;
        info) words="--json" ;;
        forms) words="--json cvt setp set $types" ;;
        explain) words="cvt. cast. setp. set. add. pto. PAT_ $types" ;;
        table) words="--json b8 u8 s8 e4m3 e5m2 e2m3 e3m2 e2m1 ue8m0 s2f6 ue5m3 e1m2 hif8 e4m3fnuz e5m2fnuz e4m3b11fnuz e4m3ieee e3m4 u4 s4 u2 s2 binary8p3se binary8p4se" ;;
        digest) words="--sample --like --range --isa --list --merge cvt. vcvt. cast. vcmp. set. selp. slct. vmax. vmin." ;;
        diff) words="--common --find --isa --sample --range" ;;
        vectors) words="--format --count --seed --output --isa --digest --list json csv hex cvt. vcvt. cast. vcmp. setp. set.
            selp. slct. max. min. block. mx. nv. fp8." ;;
        help) words="eval run launch info forms explain table digest diff vectors" ;;
        *) words="" ;;
        esac
        if [[ ${COMP_WORDS[1]} != help ]]; then words+=" --help"; fi
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _pto pto
