"""Virtual calls run what is known: of a final class or method, and of a variable's very class."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import parse
from .plain_library import assert_equal_to_original, written

CLASSES = """
struct Filter { virtual int apply(int v) const = 0; };
struct Gain final : Filter { int g; int apply(int v) const override { return v * g >> 3; } };
struct Bias : Filter { int b; int apply(int v) const final { return v + b; } };
struct Plain { int b; virtual int apply(int v) const { return v + b; } };
struct Derived : Plain { int apply(int v) const override { return v - b; } };
struct Same : Derived { int c; };
static int by_final(const Gain &g, int v) { return g.apply(v); }
static int by_method(const Bias *b, int v) { return b->apply(v); }
"""
KNOWN = {
    "a final class": "Gain g; g.g = k; x = by_final(g, v);",
    "a final method": "Bias b; b.b = k; x = by_method(&b, v);",
    "a variable": "Plain p; p.b = k; x = p.apply(v);",
    "a variable of a derived class": "Derived p; p.b = k; x = p.apply(v);",
    "a variable that inherits it": "Same p; p.b = k; x = p.apply(v);",
    "the base's own": "Derived p; p.b = k; x = p.Plain::apply(v);",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("body", KNOWN.values(), ids=KNOWN)
def test_a_call_of_what_is_known_is_that_of_gcc(tmp_path: Path, body: str) -> None:
    text = (
        f'{CLASSES}extern "C" void k(unsigned char *d, const unsigned char *s, int n, int k) {{'
        f" for (int i = 0; i < n; i++) {{ int v = s[i], x; {body} d[i] = x; }} }}\n"
    )
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


@pytest.mark.parametrize("parameter", ["const Plain &p", "const Plain *p", "const Filter &p"])
def test_a_call_of_what_may_be_another_is_refused(parameter: str) -> None:
    called = "p->apply" if "*" in parameter else "p.apply"
    loop = f"for (int i = 0; i < n; i++) d[i] = {called}(i);"
    found = parse(f"{CLASSES}void f(unsigned char *d, int n, {parameter}) {{ {loop} }}\n")
    assert [s.diagnostic.code for s in found.failed if "#" not in s.name] == ["virtual-call"]


def test_a_reference_to_a_variable_may_be_to_another_class() -> None:
    loop = "const Plain &r = p; for (int i = 0; i < n; i++) d[i] = r.apply(i);"
    found = parse(f"{CLASSES}void f(unsigned char *d, int n) {{ Derived p; p.b = 1; {loop} }}\n")
    assert not [k for k in found.kernels if k.name == "f"]
