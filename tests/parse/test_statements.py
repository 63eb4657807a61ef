"""How statements read in Kernel IR."""

from __future__ import annotations

from .parsing import body, lines


def test_a_post_decrement_in_a_condition_becomes_a_step_on_both_ways_out() -> None:
    assert body("void f(char *d, const char *s, int n) { while (n--) *d++ = *s++; }") == lines("""
    d = 0
    s = 0
    while (n != 0) {
      n = n - 1
      d[d] = s[s]
      s = s + 1
      d = d + 1
    }
    n = n - 1
    """)
