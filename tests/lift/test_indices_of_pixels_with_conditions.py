"""An index that is clipped by a comparison of what is read with 32 bits without a sign."""

from __future__ import annotations

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.parse.parsing import kernel


def test_a_difference_that_is_shifted_and_clipped_looks_up() -> None:
    result = lift_kernel(
        kernel(
            "#include <stdint.h>\n"
            "void f(uint8_t *d, const uint8_t *s, const uint8_t *t, int n, uint32_t shift) {\n"
            "  for (int i = 0; i < n; i++) {\n"
            "    int e = s[i] - 100; uint32_t a = e < 0 ? -e : e; a >>= shift & 7;\n"
            "    d[i] = t[a < 63 ? a : 63];\n"
            "  }\n}\n"
        ),
        LiftOptions(),
    )
    assert result.status == "proved", result.diagnostic
