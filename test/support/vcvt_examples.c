/* SPDX-License-Identifier: MIT */
/* Known answers of vcvt and vtrc. */
#include "support/vcvt_examples.h"

#include <stdlib.h>

#define TO(dst, src, rnd)                                                                                    \
    { PTO_##dst, PTO_##src, PTO_VRND_##rnd, false }
#define SAT(dst, src, rnd)                                                                                   \
    { PTO_##dst, PTO_##src, PTO_VRND_##rnd, true }

const struct vcvt_example vcvt_examples[] = {
    /* To integers: a NaN gives 0 and an infinity the extreme value, with or without saturation. Without saturation
     * finite values wrap. */
    {TO(S16, F32, R), "7f7fffff:0 ff7fffff:0 7fc00000:0 ffc00001:0 7f800000:7fff ff800000:8000 47000000:8000 "
                      "c7000000:8000 47000100:8001 46fffe00:7fff 46ffff00:8000 46fffd00:7ffe 3f000000:0 "
                      "3fc00000:2 40200000:2 80000000:0 80000001:0 4e801fff:ff80 4b800001:2"},
    {SAT(S16, F32, R), "7f7fffff:7fff ff7fffff:8000 7fc00000:0 7f800000:7fff ff800000:8000 47000000:7fff "
                       "46ffff00:7fff 46fffe80:7fff c7000080:8000 c7000180:8000"},
    {TO(S32, F32, R), "7f7fffff:0 7fc00000:0 7f800000:7fffffff ff800000:80000000 4f000000:80000000 "
                      "4f800000:0 4f800001:200 cf800001:fffffe00 5f000001:0 57000001:1000000"},
    {SAT(S32, F32, R), "7f7fffff:7fffffff ff7fffff:80000000 7fc00000:0 4f000000:7fffffff cf000000:80000000 "
                       "4effffff:7fffff80"},
    {TO(S32, F32, A), "3f000000:1 bf000000:ffffffff 3fc00000:2 40200000:3 c0200000:fffffffd 3effffff:0"},
    {TO(S32, F32, F), "3f7fffff:0 bf7fffff:ffffffff 80000001:ffffffff 00000001:0"},
    {TO(S32, F32, C), "3f7fffff:1 bf7fffff:0 80000001:0 00000001:1"},
    {TO(S32, F32, Z), "3fffffff:1 bfffffff:ffffffff 4f32d05e:b2d05e00"},
    /* 1.5, 2.5, 2.25, 2, -2.25, 0.1, 3.9: truncated, then made odd unless exact */
    {TO(S32, F32, O), "3fc00000:1 40200000:3 40100000:3 40000000:2 c0100000:fffffffd 3dcccccd:1 4079999a:3"},
    {TO(S64, F32, R), "5f000000:8000000000000000 7f7fffff:0 7f800000:7fffffffffffffff "
                      "ff800000:8000000000000000 7fc00000:0 5f800001:20000000000 5effffff:7fffff8000000000"},
    {SAT(S64, F32, R), "5f000000:7fffffffffffffff df000001:8000000000000000 7fc00000:0"},
    {TO(U8, F16, R), "5c04:1 7bff:e0 fbff:20 5bfc:0 5bf8:ff 7c00:ff fc00:0 7e00:0 b800:0 bc00:ff"},
    {SAT(U8, F16, R), "5c04:ff 7bff:ff fbff:0 5bfc:ff 5bf8:ff 7c00:ff fc00:0 7e00:0 bc00:0"},
    {TO(S8, F16, R), "7bff:e0 fbff:20 7c00:7f fc00:80 7c01:0 5800:80 57f8:80 d804:80 d808:7f"},
    {SAT(S8, F16, R), "7bff:7f fbff:80 5800:7f 57f4:7f d808:80 7e00:0"},
    {TO(S16, F16, R), "7bff:ffe0 fbff:20 7c00:7fff fc00:8000 7e00:0 7800:8000"},
    {SAT(S16, F16, R), "7bff:7fff fbff:8000 7c00:7fff fc00:8000 7e00:0"},
    {TO(S32, F16, Z), "7bff:ffe0 fbff:ffff0020 7c00:7fffffff fc00:80000000 7e00:0 fe01:0 8001:0 3fff:1"},
    {TO(S32, BF16, C), "7f7f:0 7f80:7fffffff ff80:80000000 7fc0:0 0001:1 8001:0 4f00:80000000 4f81:2000000"},
    {SAT(S32, BF16, F), "7f7f:7fffffff ff7f:80000000 7fff:0 8001:ffffffff"},

    /* To f16 and bf16. Overflow is determined after rounding with unlimited exponent range. */
    {TO(F16, F32, R), "477fe000:7bff 477fefff:7bff 477ff000:7c00 c77ff000:fc00 7f800000:7c00 ff800000:fc00 "
                      "7fc00000:7e00 ffc00000:7e00 33000000:0 33000001:1 b3000001:8001 80000000:8000 "
                      "3f801000:3c00 3f803000:3c02"},
    {SAT(F16, F32, R), "477ff000:7bff c77ff000:fbff 7f800000:7bff ff800000:fbff 7fc00000:0 ffc00000:0 "
                       "80000000:8000"},
    {TO(F16, F32, A), "3f801000:3c01 bf801000:bc01 3f800fff:3c00 33000000:1 477ff000:7c00 32ffffff:0"},
    {TO(F16, F32, Z), "477fffff:7bff 47800000:7c00 c7800000:fc00 7f7fffff:7c00 b3ffffff:8001"},
    {SAT(F16, F32, Z), "47800000:7bff 7f7fffff:7bff"},
    {TO(F16, F32, F), "477fe001:7bff c77fe001:fc00 47800000:7c00 80000001:8001 00000001:0 bf800001:bc01"},
    {TO(F16, F32, C), "477fe001:7c00 c77fe001:fbff c7800000:fc00 80000001:8000 00000001:1"},
    {TO(F16, F32, O), "3f800000:3c00 3f800001:3c01 3f802000:3c01 3f803fff:3c01 3f804000:3c02 3f804001:3c03 "
                      "477fe001:7bff 477fffff:7bff 47800000:7c00 00000001:1 80000001:8001 bf800001:bc01"},
    {TO(BF16, F32, R), "7f7fffff:7f80 7f7f7fff:7f7f 7f7f8000:7f80 7fc00000:7fc0 00008000:0 00018000:2 "
                       "7f800001:7fc0 ff800000:ff80"},
    {SAT(BF16, F32, R), "7f7fffff:7f7f ff7fffff:ff7f 7f800000:7f7f ff800000:ff7f 7fc00000:0"},
    {TO(BF16, F32, Z), "7f7fffff:7f7f 0000ffff:0 bfffffff:bfff"},
    {TO(BF16, F32, C), "7f7f0001:7f80 ff7fffff:ff7f"},
    {TO(BF16, F16, R), "7c00:7f80 fc00:ff80 7e00:7fc0 7bff:4780 0001:3380 8000:8000 3c04:3f80 3c0c:3f82"},
    {TO(F16, BF16, R), "477f:7bf8 4780:7c00 7f7f:7c00 7f80:7c00 7fc0:7e00 3300:0 3301:1 8000:8000"},
    {SAT(F16, BF16, R), "4780:7bff c780:fbff ff80:fbff 7fc0:0"},
    {TO(F32, F16, R), "0001:33800000 8000:80000000 7c00:7f800000 fc00:ff800000 7e00:7fc00000 7bff:477fe000"},
    {TO(F32, BF16, R), "0001:10000 ff80:ff800000 8000:80000000 7f7f:7f7f0000"},

    /* fp8 */
    {SAT(E4M3, F32, R), "43e00000:7e 43e80000:7e 43e80001:7e 7f800000:7e ff800000:fe 7fc00000:0 3f880000:38 "
                        "3f980000:3a 3a800000:0 3a800001:1 3ae00000:1 80000000:80 ba800001:81"},
    {TO(E4M3, F32, R), "43e80000:7e 43e80001:7f 7f800000:7f 7fc00000:7f"},
    {SAT(E4M3, F32, A), "3f880000:39 3f980000:3a 3a800000:1 ba800000:81"},
    {SAT(E5M2, F32, R), "47600000:7b 476fffff:7b 47700000:7b 7f800000:7b ff800000:fb 7fc00000:0 37000000:0 "
                        "37000001:1"},
    {TO(E5M2, F32, R), "476fffff:7b 47700000:7c c7700000:fc 7f800000:7c 7fc00000:7f"},
    {TO(E5M2, F32, Z), "477fffff:7b 47800000:7c"},
    {SAT(E4M3, F16, C), "5f01:7e fc00:fe 0001:1 8001:80 7e00:0"},
    {TO(E5M2, BF16, F), "c761:fc 4761:7b 7f80:7c ff80:fc 7fc0:7f"},
    {TO(F32, E4M3, R), "01:3b000000 7e:43e00000 7f:7fc00000 ff:7fc00000 80:80000000 38:3f800000"},
    {TO(F32, E5M2, R), "01:37800000 7b:47600000 7c:7f800000 fc:ff800000 7d:7fc00000 80:80000000"},

    /* HiFloat8: 2^-23 is a tie and rounds up; 40960 = 1.25 * 2^15 is a tie and overflows. There is only one zero. */
    {TO(HIF8, F32, A), "00000000:0 80000000:0 33ffffff:0 34000000:1 b4000000:81 b3ffffff:0 34bfffff:1 "
                       "34c00000:2 34800000:1 3f800000:8 3f880000:9 3f87ffff:8 40000000:10 3f000000:18 "
                       "40800000:20 41000000:28 41800000:40 43800000:60 43000000:4c 38000000:7e 38400000:7f "
                       "47000000:6e 471fffff:6e 47200000:6f c7200000:ef 7f800000:6f ff800000:ef 7fc00000:80 "
                       "ffc00000:80 bf800000:88"},
    {SAT(HIF8, F32, A), "47200000:6e c7200000:ee 7f800000:6e ff800000:ee 7fc00000:0 47400000:6e 80000000:0"},
    {TO(HIF8, F16, A), "7bff:6f 0001:0 0002:1 8001:0 8000:0 7c00:6f fc00:ef 7e00:80 3c00:8 7800:6e 7900:6f"},
    {SAT(HIF8, F16, A), "7bff:6e fbff:ee 7e00:0 fc00:ee"},
    {TO(F32, HIF8, R), "00:0 80:7fc00000 6f:7f800000 ef:ff800000 6e:47000000 01:34800000 07:37800000 "
                       "08:3f800000 0f:3ff00000 10:40000000 18:3f000000 20:40800000 28:41000000 30:3e800000 "
                       "38:3e000000 40:41800000 60:43800000 7e:38000000 7f:38400000 88:bf800000 81:b4800000"},
    {TO(F16, HIF8, R), "01:0004 80:7e00 6f:7c00 ef:fc00 6e:7800 7e:0200 00:0 88:bc00"},

    /* fp4: always saturates; a NaN gives +0; the sign of zero is preserved. */
    {TO(E1M2, BF16, R), "0000:0 8000:8 7fc0:0 ffc0:0 7f80:7 ff80:f 3e00:0 3e01:1 3ec0:2 3f20:2 3f60:4 3f80:4 "
                        "3fe0:7 3ff0:7 4000:7 c100:f be00:8 3fd0:6"},
    {TO(E1M2, BF16, A), "3e00:1 3f20:3 3f60:4 be00:9 3fd0:7"},
    {TO(E1M2, BF16, F), "8001:9 0001:0 3fff:7 bfe1:f"},
    {TO(E2M1, BF16, R), "0000:0 8000:8 7fc0:0 7f80:7 ff80:f 3e80:0 3e81:1 3f40:2 3fa0:2 3fe0:4 4020:4 4060:6 "
                        "40a0:6 40a1:7 40c0:7 4100:7"},
    {TO(E2M1, BF16, Z), "40bf:6 7f7f:7 bfff:b"},
    {TO(BF16, E1M2, R), "0:0 1:3e80 2:3f00 3:3f40 4:3f80 5:3fa0 6:3fc0 7:3fe0 8:8000 9:be80 f:bfe0"},
    {TO(BF16, E2M1, R), "0:0 1:3f00 2:3f80 3:3fc0 4:4000 5:4040 6:4080 7:40c0 8:8000 f:c0c0"},

    /* From integers */
    {TO(F16, U8, R), "0:0 1:3c00 ff:5bf8"},
    {TO(F16, S8, R), "80:d800 ff:bc00 7f:57f0"},
    {TO(F16, S16, R), "8000:f800 7fff:7800 0801:6800 0803:6802 ffff:bc00"},
    {TO(F16, S16, Z), "7fff:77ff"},
    {TO(F16, S16, A), "0801:6801"},
    {TO(F16, S16, O), "0802:6801 0804:6802 0805:6803 0807:6803"},
    {TO(F32, S16, R), "8000:c7000000 7fff:46fffe00"},
    {TO(F32, U32, R), "ffffffff:4f800000 1000001:4b800000 1000003:4b800002 80000000:4f000000"},
    {TO(F32, U32, Z), "ffffffff:4f7fffff"},
    {TO(F32, S32, R), "80000000:cf000000 7fffffff:4f000000 1000001:4b800000"},
    {TO(F32, S32, F), "feffffff:cb800001 1000001:4b800000"},
    {TO(F32, S64, R), "7fffffffffffffff:5f000000 8000000000000000:df000000 ffffffffffffffff:bf800000"},
    {TO(F32, S64, C), "1000001:4b800001 fffffffffeffffff:cb800000"},

    /* Between integers */
    {TO(U8, U16, R), "1ff:ff 100:0 ffff:ff"},
    {SAT(U8, U16, R), "1ff:ff 100:ff fe:fe"},
    {TO(U8, S16, R), "ffff:ff 8000:0 101:1"},
    {SAT(U8, S16, R), "ffff:0 8000:0 101:ff 7f:7f"},
    {TO(U32, S16, R), "ffff:0 8000:0 7fff:7fff"},
    {TO(S32, S16, R), "ffff:ffffffff 7fff:7fff"},
    {TO(S16, U32, R), "ffffffff:ffff 8000:8000 10001:1"},
    {SAT(S16, U32, R), "ffffffff:7fff 8000:7fff 7fff:7fff"},
    {SAT(U8, U32, R), "ffffffff:ff 100:ff ff:ff"},
    {SAT(U16, S32, R), "ffffffff:0 10000:ffff 80000000:0"},
    {TO(U16, S32, R), "ffffffff:ffff 10000:0"},
    {SAT(S16, S32, R), "80000000:8000 ffff7fff:8000 8000:7fff"},
    {SAT(U8, S32, R), "ffffffff:0 7fffffff:ff"},
    {TO(S64, S32, R), "80000000:ffffffff80000000 7fffffff:7fffffff"},
    {TO(S32, S64, R), "1ffffffff:ffffffff 8000000000000000:0"},
    {SAT(S32, S64, R), "1ffffffff:7fffffff 8000000000000000:80000000 ffffffff7fffffff:80000000"},

    /* vtrc */
    {TO(F32, F32, R), "3f000000:0 3fc00000:40000000 40200000:40000000 bf000000:80000000 7f800000:7f800000 "
                      "ff800000:ff800000 80000000:80000000 7f800001:7fc00001 ffc12345:ffc12345 "
                      "4b000001:4b000001 4affffff:4b000000 7f7fffff:7f7fffff"},
    {TO(F32, F32, A), "3f000000:3f800000 bf000000:bf800000 40200000:40400000"},
    {TO(F32, F32, F), "80000001:bf800000 00000001:0 bf800001:c0000000"},
    {TO(F32, F32, C), "be99999a:80000000 00000001:3f800000 80000001:80000000"},
    {TO(F32, F32, Z), "bf7fffff:80000000 3fffffff:3f800000"},
    {TO(F16, F16, R), "3e00:4000 4100:4000 7c01:7e01 fc00:fc00 8001:8000 63ff:6400 7bff:7bff"},
    {TO(F16, F16, C), "0001:3c00 b4cd:8000"},
    {TO(BF16, BF16, F), "8001:bf80 437f:437f 427f:427c ffa0:ffe0"},
};
const size_t vcvt_examples_count = sizeof vcvt_examples / sizeof vcvt_examples[0];

bool vcvt_example_next(const char **at, uint64_t *input, uint64_t *output) {
    char *end;
    if (!**at) return false;
    *input = strtoull(*at, &end, 16);
    *output = strtoull(end + 1, &end, 16);
    *at = end + (*end == ' ');
    return true;
}
