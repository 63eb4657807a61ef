"""Which part a `for` lacks, also where the source's text doesn't say: a macro makes the loop."""

from __future__ import annotations

import pytest

from lifter.parse import loop_parts
from lifter.parse.syntax import Node

from .parsing import body, failure

SIGNATURE = "void f(unsigned char *d, const unsigned char *s, int n)"
BREAKS = "{ if (x >= n) break; d[x] = 1; }"


@pytest.mark.parametrize(
    "head",
    [
        "x = 5; x < n; x++", ";;", "x = 5;; x++", "; x < n / 2; x++", "x = 5; x < n / 2;",
        "x = 5;;", "; x < n;", ";; x++", "; x-- > 0;", ";; x++, s++", "int x = 3;; x++",
    ],
)  # fmt: skip
def test_a_loop_of_a_macro_means_what_it_says(head: str) -> None:
    text = f"{SIGNATURE} {{ int x = 0; LOOP }}"
    loop = f"for ({head}) {BREAKS}"
    expected = body(text.replace("LOOP", loop))
    assert body(f"#define LOOP {loop}\n{text}") == expected
    assert body(f"#define LOOP(...) for ({head}) __VA_ARGS__\n{text[:-1]}({BREAKS}) }}") == expected


@pytest.mark.parametrize(
    "macros, use, plain",
    [
        ("#define UP(i, n) for (; i < n; i++)", "UP(x, n)", "for (; x < n; x++)"),
        ("#define UP(a, b, c) for (a; b; c)", "UP(x = 1, x < n, x++)", "for (x = 1; x < n; x++)"),
        ("#define UP(a, b, c) for (a; b; c)", "UP(, x < n, x++)", "for (; x < n; x++)"),
        ("#define UP(a, b, c) for (a; b; c)", "UP(x = 1,, x++)", "for (x = 1;; x++)"),
        ("#define UP(a, b, c) for (a; b; c)", "UP(,, x++)", "for (;; x++)"),
        ("#define NONE\n#define UP for (NONE; x < n; NONE)", "UP", "for (; x < n;)"),
        ("#define HEAD(i) (; i < n; i++)\n#define UP for HEAD(x)", "UP", "for (; x < n; x++)"),
        ("#define HEAD(i) ; i < n; i++", "for (HEAD(x))", "for (; x < n; x++)"),
        ("#define END ; x++)", "for (x = 1; END", "for (x = 1;; x++)"),
        ("#define START (x = 1;", "for START; x++)", "for (x = 1;; x++)"),
    ],
)
def test_parts_that_macros_put_together_are_told_apart(macros: str, use: str, plain: str) -> None:
    text = f"{SIGNATURE} {{ int x = 0; USE {BREAKS} }}"
    assert body(f"{macros}\n{text.replace('USE', use)}") == body(text.replace("USE", plain))


def test_each_of_several_loops_of_one_macro_has_its_own_parts() -> None:
    up = "#define UP(a, b) { for (a; x < n;) { d[x] = 1; x++; } for (; x < n; b) d[x] = 2; }\n"
    plain = "{ for (x = 1; x < n;) { d[x] = 1; x++; } for (; x < n; x++) d[x] = 2; }"
    text = f"{SIGNATURE} {{ int x = 0; USE }}"
    assert body(up + text.replace("USE", "UP(x = 1, x++)")) == body(text.replace("USE", plain))


@pytest.mark.parametrize(
    "text",
    [
        "template <class T> void g(T *d, int n) { int x = 0; UP(x, n) d[x] = 'f'; }\n"
        "template void g<unsigned char>(unsigned char *, int);\n"
        f"{SIGNATURE} {{ g(d, n); }}",
        f"struct G {{ int x; void run(unsigned char *d, int n) {{ UP(x, n) d[x] = 'f'; }} }};\n"
        f"{SIGNATURE} {{ G g; g.x = 0; g.run(d, n); }}",
        f"{SIGNATURE} {{ int x = 0; auto g = [&](int m) {{ UP(x, m) d[x] = 'f'; }}; g(n); }}",
        f"{SIGNATURE} {{ for (auto g = [&](int m) {{ int x = 0; UP(x, m) d[x] = 1; }};;)"
        " { g(n); break; } }",
    ],
)
def test_templates_methods_and_lambdas_have_loops_of_macros(text: str) -> None:
    plain = text.replace("UP(x, n)", "for (; x < n; x++)").replace("UP(x, m)", "for (; x < m; x++)")
    assert body(f"#define UP(i, n) for (; i < n; i++)\n{text}") == body(plain)


@pytest.mark.parametrize(
    "head", ["; int y = n--;", "int x = 3; int y = n--; x++", "; int y = n; n--"]
)
def test_a_declaration_in_a_condition_is_refused(head: str) -> None:
    found = failure(f"{SIGNATURE} {{ for ({head}) d[0] = 1; }}")
    assert (found.code, found.message) == (
        "unsupported-statement", "a declaration in a loop's condition"
    )  # fmt: skip


@pytest.mark.parametrize(
    "instead",
    [
        "",
        "for (; x < n; x++) for (; x < n; x++) ;",
        "for (; x < n;) ;",
        "for (x = 1; x < n; x++) ;",
        "for (; y < n; x++) ;",
        "for (x < n; x++) ;",
    ],
)
def test_what_clang_prints_is_believed_only_where_it_fits_the_tree(
    monkeypatch: pytest.MonkeyPatch, instead: str
) -> None:
    text = f"{SIGNATURE} {{ int x = 0; for (; x < n; x++) d[x] = 1; }}"
    assert "while (x < n)" in body(text)
    monkeypatch.setattr(Node, "printed", lambda self: instead)
    found = failure(text)
    assert found.code == "unsupported-statement"
    assert "which part this `for` lacks" in found.message


def test_words_in_texts_are_no_loops() -> None:
    heads = list(loop_parts._heads("a = \"for (;;)\" ; c = '\"'; for (x = ')'; x < n;) ;"))
    assert heads == [(("x", "=", "')'"), ("x", "<", "n"), ())]
