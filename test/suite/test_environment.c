/* SPDX-License-Identifier: MIT */
/** Checks that the library reads the environment at its first use and never again, because getenv is not safe while
 * another thread calls setenv. The library calls the getenv of this file, which counts its calls. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <string.h>
#include <unistd.h>

static size_t readings;

char *getenv(const char *name);
char *secure_getenv(const char *name);

char *getenv(const char *name) {
    const size_t length = strlen(name);
    readings++;
    for (char **entry = environ; entry && *entry; entry++) {
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
    }
    return NULL;
}

char *secure_getenv(const char *name) {
    return getenv(name);
}

static void every_call_about_isas(void) {
    for (int i = 0; i < harness_isas(); i++) {
        const pto_isa isa = (pto_isa)i;
        assert_int_equal(pto_isa_use(isa), pto_isa_available(isa) ? PTO_OK : PTO_ERR_ISA);
        if (pto_isa_available(isa)) assert_int_equal(pto_isa_active(), isa);
    }
}

static void read_once(void **state) {
    (void)state;
    readings = 0;
    assert_true(pto_isa_available(PTO_ISA_SCALAR)); /* a first use, although it does not choose an ISA */
    assert_true(readings > 0);
    readings = 0;
    every_call_about_isas();
    assert_int_equal(readings, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_once)};
    return harness_end(cmocka_run_group_tests_name("environment", tests, NULL, NULL));
}
