"""Elements of arrays inside of structures, `f->data[1]` and `f->linesize[p]`: parameters of their
own where the whole kernel uses places that it has in common."""

from __future__ import annotations

from .parsing import failure, kernel, parse

FRAME = """
typedef unsigned char u8;
struct frame { u8 *data[4]; int linesize[4]; int width, height; };
int planes(const struct frame *f);
"""
ONE_PLANE = (
    FRAME
    + """
void half(struct frame *f) {
    for (int y = 0; y < f->height; y++) {
        u8 *p = f->data[1] + y * f->linesize[1];
        for (int x = 0; x < f->width; x++) p[x] >>= 1;
    }
}
"""
)
ALL_PLANES = (
    FRAME
    + """
void half(struct frame *f) {
    for (int p = 0; p < planes(f); p++)
        for (int y = 0; y < f->height; y++) {
            u8 *row = f->data[p] + y * f->linesize[p];
            for (int x = 0; x < f->width; x++) row[x] >>= 1;
            CHANGE
        }
}
"""
)


def test_a_constant_element_is_a_parameter() -> None:
    found = kernel(ONE_PLANE, name="a.c")
    assert [(p.name, p.kind, p.spelling) for p in found.params] == [
        ("f.data.1", "array", "u8 *".replace("u8", "uint8_t")),
        ("f.linesize.1", "scalar", "int32_t"),
        ("f.width", "scalar", "int"),
        ("f.height", "scalar", "int"),
    ]
    assert [f.path for f in found.source_params[0].fields][:2] == ["data[1]", "linesize[1]"]


def test_in_a_region_a_variable_that_stays_tells_the_element() -> None:
    (found,) = parse(ALL_PLANES.replace("CHANGE", ""), name="a.c").kernels
    assert found.name == "half#1"
    assert {"f.data.p", "f.linesize.p"} <= {p.name for p in found.params}
    paths = {f.path for s in found.source_params for f in s.fields}
    # An entry that is called with another number still looks at memory that is there.
    assert "data[(unsigned long)p < 4 ? p : 0]" in paths


def test_a_variable_that_changes_tells_no_element() -> None:
    text = ALL_PLANES.replace("CHANGE", "p += x0;").replace("int y = 0", "int y = 0, x0 = 1")
    found = parse(text, name="a.c")
    assert not any(p.name == "f.data.p" for k in found.kernels for p in k.params)


def test_elements_that_are_written_are_those_of_the_array() -> None:
    text = ALL_PLANES.replace("CHANGE", "f->linesize[0] = 7;")
    found = parse(text, name="a.c").kernels
    assert all("f.linesize.p" not in {p.name for p in k.params} for k in found if k.span.line < 8)
    whole = next(k for k in found if "f.linesize" in {p.name for p in k.params})
    assert "f.linesize.p" not in {p.name for p in whole.params}


def test_an_array_that_is_also_used_as_one_has_no_elements_apart() -> None:
    text = FRAME + (
        "int sum(const struct frame *f, const u8 *s) { int n = f->linesize[2];"
        " for (int i = 0; i < 4; i++) n += f->linesize[i] * s[i]; return n; }"
    )
    assert {p.name for p in kernel(text, name="a.c").params} == {"f.linesize", "s"}


def test_another_object_of_the_class_may_be_the_same() -> None:
    text = FRAME + (
        "void f(struct frame *a, const struct frame *b, u8 *d) { a->linesize[1] = 3;"
        " for (int i = 0; i < 9; i++) d[i] = b->linesize[1]; }"
    )
    assert {"a.linesize", "b.linesize"} <= {p.name for p in kernel(text, name="a.c").params}


def test_a_pointer_inside_of_a_structure_is_not_moved() -> None:
    text = FRAME + "void f(struct frame *f) { for (int i = 0; i < 9; i++) *f->data[1]++ = 0; }"
    assert failure(text, name="a.c").code in ("unsupported-expression", "unsupported-type")
    text = FRAME + (
        "void f(struct frame *f, u8 *q) { f->data[0] = q;"
        " for (int i = 0; i < 9; i++) f->data[0][i] = 0; }"
    )
    found = parse(text, name="a.c")
    assert [k.name for k in found.kernels] in ([], ["f#1"])


def test_an_index_outside_of_the_array_is_no_element() -> None:
    text = FRAME + "void f(struct frame *f) { for (int i = 0; i < 9; i++) f->data[4][i] = 0; }"
    assert failure(text, name="a.c").code == "unsupported-type"


LINES = """
float *row(int y);
void smooth(float *dst, int pitch, int w, int h) {
    for (int y = 0; y < h; y++) {
        const float *t[3];
        float *d = dst + y * pitch;
        for (int i = 0; i < 3; i++) t[i] = row(y + i);
        for (int x = 0; x < w; x++) BODY
    }
}
"""


def test_elements_of_an_array_of_pointers_around_a_region_are_parameters() -> None:
    (found,) = parse(LINES.replace("BODY", "d[x] = t[0][x] + t[2][x];"), name="a.c").kernels
    assert [p.name for p in found.params] == ["w", "t.0", "t.2", "d"]
    assert [(s.name, s.spelling) for s in found.source_params if "." in s.name] == [
        ("t.0", "const float *"),
        ("t.2", "const float *"),
    ]
    assert found.put_back is not None
    texts = {a.param: a.text for a in found.put_back.arguments}
    assert texts["t.0"] == "t[0]" and texts["d"] == "d"


def test_pointers_in_an_array_that_change_are_refused() -> None:
    for body in (
        "d[x] = *t[1]++;",
        "{ d[x] = t[1][x]; t[1] = t[0]; }",
        "d[x] = t[x & 1][x];",
        "{ const float **p = t; d[x] = p[1][x] + t[0][x]; }",
        "d[x] = t[3][x];",
    ):
        assert not parse(LINES.replace("BODY", body), name="a.c").kernels, body


SIZES = """
void shape(const int *s, long *n, int *steps);
void copy(float *d, const float *s, const int *given) {
    long n[2];
    int steps[3] = {1, given[0], given[1]};
    shape(given, n, steps);
    for (long y = 0; y < n[1]; y++)
        for (long x = 0; x < n[0]; x++) { d[y * steps[1] + x] = s[x * steps[2]]; MORE }
}
"""


def names_of(text: str) -> list[str]:
    (found,) = parse(text, name="a.c").kernels
    return [p.name for p in found.params]


def test_elements_of_an_array_of_integers_around_a_region_are_parameters() -> None:
    (found,) = parse(SIZES.replace("MORE", ""), name="a.c").kernels
    assert {(p.name, p.kind) for p in found.params} == {
        *(("d", "array"), ("s", "array"), ("n.0", "scalar"), ("n.1", "scalar")),
        *(("steps.1", "scalar"), ("steps.2", "scalar")),
    }
    assert found.put_back is not None
    told = {a.param: (a.text, a.by_address) for a in found.put_back.arguments}
    # What else is stored must leave them alone.
    assert told["n.1"] == ("n[1]", True)


def test_an_array_of_integers_that_is_used_otherwise_stays_one() -> None:
    for more in ("steps[x & 1] = 0;", "steps[0]++;", "int *p = steps; p[2] = 5;"):
        names = names_of(SIZES.replace("MORE", more))
        assert "steps" in names and not any(name.startswith("steps.") for name in names), more
        assert "n.0" in names
