# SPDX-License-Identifier: MIT
# Declarations that stand under one comment, with no blank line between them, each get it: Doxygen gives a comment to
# the first alone.
/^\/\*\*/ { comment = ""; inside = 1 }
inside {
    comment = comment $0 "\n"
    if (/\*\//) { inside = 0; next_is_first = 1 }
    print
    next
}
/^(PTO_(CALL|API)|#define) / {
    if (!next_is_first && after_declaration) printf "%s", comment
    next_is_first = 0
}
{ print; after_declaration = /;$/ || /^#define / }
