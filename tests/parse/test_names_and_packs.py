"""Names that several functions share, parameters that do, and functions that are long."""

from __future__ import annotations

import pytest

from lifter.emit import emitted_texts
from lifter.lift.lift_function import LiftOptions, lift_kernel

from .parsing import failure, kernel, parse

LOOP = "for (int i = 0; i < n; i++)"


def texts(text: str) -> dict[str, str]:
    """What is emitted for the last kernel, which reads its own text back and compares."""
    result = lift_kernel(kernel(text), LiftOptions(search_budget=500))
    assert result.status == "proved", result.diagnostic
    return emitted_texts(result)


@pytest.mark.parametrize(
    "text",
    [
        f"static int f(int a);\nvoid f(int *d, const int *s, int n) {{ {LOOP} d[i] = f(s[i]); }}\n"
        "static int f(int a) { return a / 2; }",
        "static int hl(int a) { return a / 3; }\nstatic int x(int a) { return a / 5; }\n"
        f"void f(int *d, const int *s, int n) {{ {LOOP} d[i] = hl(s[i]) + x(s[i]); }}",
        "static int mix(int a, int b) { return (a - b) / 2; }\n"
        "static int mix(int a) { return a / 3; }\nstatic int mix_2(int a) { return a / 5; }\n"
        f"void f(int *d, const int *s, int n) {{ {LOOP}"
        " d[i] = mix(s[i], 1) + mix(s[i]) + mix_2(s[i]); }",
        "template <class... A> static int total(A... a) { return (a - ...); }\n"
        f"void f(int *d, const int *s, int n) {{ {LOOP} d[i] = total(s[i], 10, 200); }}",
    ],
)
def test_functions_of_one_name_are_kept_apart(text: str) -> None:
    assert "pipeline.py" in texts(text)


def test_the_parameters_of_a_pack_are_told_apart() -> None:
    text = "template <class... A> static int total(A... a) { return (a - ...); }\n"
    text += "void f(int *d, int n) { d[0] = total(n, 10, 200); }"
    found = kernel(text)
    (total,) = found.functions.values()
    assert len({p.name for p in total.params}) == 3
    assert str(total.body) == "a - (a.1 - a.2)"


def test_an_instance_of_a_template_with_a_pack_is_a_kernel() -> None:
    text = (
        "template <class... A> void fill(int *d, int n, A... a)"
        " { for (int i = 0; i < n; i++) d[i] = (a + ... + 0); }\n"
        "template void fill<int, long>(int *, int, int, long);\n"
        "void g(int *d, int n) { d[0] = n; }"
    )
    found = parse(text)
    assert [k.name for k in found.kernels] == ["fill_int32_int64", "g"]
    assert found.kernels[0].qualified_name == "fill<>"


@pytest.mark.slow
def test_a_long_function_is_read_to_its_end() -> None:
    steps = "".join(f"x = x * 3 + {i}; if (x > {i}) x ^= 5;\n" for i in range(700))
    many = " + ".join(f"s[{i}]" for i in range(400))
    found = kernel(f"void f(int *d, const int *s, int x) {{ {steps} d[0] = x + {many}; }}")
    assert len(found.body) == 1401


@pytest.mark.parametrize(
    "text, code",
    [
        ("int make();\nconst int Q = make();\nvoid f(int *d) { d[0] = Q; }", "global-state"),
        ("extern const int Q[4];\nvoid f(int *d, int n) { d[0] = Q[n]; }", "global-state"),
        ("int make();\nvoid f(int *d) { static const int q = make(); d[0] = q; }", "static-state"),
    ],
)
def test_what_is_const_is_not_to_be_made_so(text: str, code: str) -> None:
    found = failure(text)
    assert found.code == code and found.help is not None
    assert "make it const" not in found.help


def test_what_is_not_const_may_be_made_so() -> None:
    found = failure("int table[4] = {1, 2, 3, 4};\nvoid f(int *d, int n) { d[0] = table[n]; }")
    assert found.code == "global-state" and "make it const" in str(found.help)


def test_loops_of_a_destructor_have_a_name_that_a_program_can_have() -> None:
    found = parse(
        "struct Wiped { unsigned char *d; int n; ~Wiped(); };\n"
        "Wiped::~Wiped() { for (int i = 0; i < n; i++) d[i] = d[i] ^ 17; }\n"
    )
    (loops,) = found.kernels
    assert loops.name == "destroy_Wiped#1"
    result = lift_kernel(loops, LiftOptions(search_budget=500))
    assert result.status == "proved" and emitted_texts(result)
