"""Tables of row pointers around a region: the rows that it uses are arrays, the table is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.kernel import Kernel
from lifter.parse import kernel_to_text, parse_file

HEAD = """
typedef unsigned char byte; void out(int);
struct image { byte **row; int w, h; };
"""
LOOP = "for (int x = 0; x < w; x++)"


def region(tmp_path: Path, text: str) -> Kernel:
    """The only region of the only function, which a call keeps from being one by itself."""
    path = tmp_path / "a.c"
    path.write_text(HEAD + text)
    (found,) = parse_file(path).kernels
    return found


def rows_of(tmp_path: Path, body: str) -> set[str]:
    """The arrays that a loop is over, in a loop over y that says where it is."""
    text = f"""void f(byte **d, byte **s, struct image *im, int w, int h, int k, int n)
    {{ for (int y = 1; y < h; y++) {{ out(y); {body} }} }}"""
    return {p.name for p in region(tmp_path, text).params if p.kind != "scalar"}


ROWS = {
    "above and below": (f"{LOOP} d[y][x] = s[y - 1][x] + s[y + 1][x];",
                        {"d.y", "s.y_less_1", "s.y_plus_1"}),
    "pointers to them": (f"{LOOP} {{ byte *p = s[y] + k; d[y][x] = p[x]; }}", {"d.y", "s.y"}),
    "two of each": (f"{LOOP} d[y][x] = s[2 * y][x] + s[2 * y + 1][x];",
                    {"d.y", "s.2_times_y", "s.2_times_y_plus_1"}),
    "a clamped one": (f"int m = y < k ? y : k; {LOOP} d[y][x] = s[m][x];", {"d.y", "s.m"}),
    "planes": (f"{LOOP} {{ d[0][x] = s[y][3 * x]; d[1][x] = s[y][3 * x + 1]; }}",
               {"d.0", "d.1", "s.y"}),
    "in place": (f"{LOOP} d[y][x] = d[y - 1][x];", {"d.y", "d.y_less_1"}),
    "of a structure": (f"{LOOP} im->row[y][x] = im->row[y - 1][x];",
                       {"im.row.y", "im.row.y_less_1"}),
    "also where a pixel says so": (f"{LOOP} {{ d[y][x] = s[y][x]; if (d[y][x] > k) s[y][x] = 0; }}",
                                   {"d.y", "s.y"}),
    "a window": (f"{LOOP} for (int j = -1; j <= 1; j++) d[y][x] += s[y + j][x];",
                 {"d.y", "s.y_less_1", "s.y", "s.y_plus_1"}),
    "a window both ways": (f"{LOOP} for (int j = 2; j > 0; j--) for (int i = 0; i < 2; i++) "
                           "d[y][x] += s[y + j - 1][x + i];", {"d.y", "s.y", "s.y_plus_1"}),
    "a window by one counter": (f"{LOOP} for (int i = 0; i < 9; i++) {{ int m = y - 1 + i / 3; "
                                "d[y][x] += s[m][x + i % 3]; }}",
                                {"d.y", "s.y_less_1", "s.y", "s.y_plus_1"}),
    "the next one, where it is": (f"{LOOP} {{ d[y][x] = 1; if (y < h) d[y][x] = s[y + 1][x]; }}",
                                  {"d.y", "s.y_plus_1"}),
    "this one or the next": (f"{LOOP} d[y][x] = y < h - 1 && k ? s[y + 1][x] : s[y][x];",
                             {"d.y", "s.y", "s.y_plus_1"}),
    "by doubled loops": (f"{LOOP} for (int c = 0; c < n; c++) d[y][x * n + c] = s[y][x];",
                         {"d.y", "s.y"}),
}  # fmt: skip


@pytest.mark.parametrize("way", ROWS)
def test_rows_that_stay_the_same_are_arrays_by_themselves(tmp_path: Path, way: str) -> None:
    body, expected = ROWS[way]
    assert rows_of(tmp_path, body) == expected


TABLES = {
    "a row for each x": f"{LOOP} d[y][x] = s[x][y];",
    "a row that moves": f"int r = y; {LOOP} {{ d[y][x] = s[r][x]; r++; }}",
    "a row that memory says": f"{LOOP} d[y][x] = s[d[y][0]][x];",
    "a row that x says to be there": f"{LOOP} {{ d[y][x] = 1; if (x < h - 1) "
    "d[y][x] = s[y + 1][x]; }",
    "a row under one of two conditions, in loops apart": f"{LOOP} {{ d[y][x] = 1; if (y < k) "
    "d[y][x] = s[y + 1][x]; } for (int x = 0; x < n; x++) if (y < h - 1) d[y][x] += s[y + 1][x];",
    "a window of any height": f"{LOOP} for (int j = 0; j < n; j++) d[y][x] += s[y + j][x];",
    "a window whose rows a pixel moves": f"{LOOP} for (int i = 0; i < 3; i++) "
    "{ int m = y + i; if (d[y][x] > 3) m++; d[y][x] += s[m][x]; }",
    "rows of the iteration before": f"int m = y; {LOOP} for (int i = 0; i < 3; i++) "
    "{ d[y][x] += s[m][x]; m = y + i; }",
    "a window of many rows": f"{LOOP} for (int j = 0; j < 40; j++) d[y][x] += s[y + j][x];",
    "a window that is left": f"{LOOP} for (int j = 0; j < 3; j++) "
    "{ d[y][x] += s[y + j][x]; if (d[y][x] > 9) break; }",
    "one that a pixel asks for": f"{LOOP} {{ d[y][x] = d[y][x] > 3 ? s[y + 1][x] : 0; }}",
    "one behind `&&`": f"{LOOP} {{ d[y][x] = d[y][x] > 3 && s[y + 1][x] > 2; }}",
    "one behind a loop that may be left": f"{LOOP} {{ for (int i = 0; i < n; i++) "
    "{ d[y][x]++; if (d[y][i]) break; d[y][x] = s[y + 1][x]; } }",
    "one in a loop inside": f"{LOOP} {{ d[y][x] = 1; if (d[y][x] > k) for (int i = 0; i < n; i++) "
    "d[y][x] += s[y + 1][i]; }",
}


@pytest.mark.parametrize("way", TABLES)
def test_a_table_of_which_other_rows_may_be_used_stays_one(tmp_path: Path, way: str) -> None:
    assert "s" in rows_of(tmp_path, TABLES[way])


def test_a_table_that_is_tested_for_null_stays_one(tmp_path: Path) -> None:
    body = f"{LOOP} {{ d[y][x] = 0; if (s) d[y][x] = s[y][x]; }}"
    assert "s" in rows_of(tmp_path, body)


def test_a_row_is_looked_up_where_the_call_stands(tmp_path: Path) -> None:
    text = f"""void f(struct image *im, byte **s, int w, unsigned char k)
    {{ out(1); {LOOP} im->row[2 * k - 1][x] = s[-k][x]; }}"""
    found = region(tmp_path, text)
    assert found.put_back is not None and found.put_back.refused is None
    texts = {a.text for a in found.put_back.arguments if a.is_row and a.by_address}
    assert texts == {
        "im->row[(signed long)((2 * (signed int)(k)) - 1)]",
        "s[(signed long)(-(signed int)(k))]",
    }
    assert ("im->row", 8) in found.put_back.kept
    assert "s.row" not in kernel_to_text(found)


def test_a_row_under_a_condition_is_looked_up_under_it(tmp_path: Path) -> None:
    text = f"""void f(byte **d, byte **s, int w, int h, int y) {{ out(1);
    {LOOP} {{ d[y][x] = y > 0 ? s[y - 1][x] : 3; if (y < h - 1) d[y][x] += s[y + 1][x]; }} }}"""
    found = region(tmp_path, text)
    assert found.put_back is not None
    when = {a.param: a.when for a in found.put_back.arguments if a.is_row}
    assert when == {
        "d.y": "d",
        "s.y_less_1": "s && (((y) > 0))",
        "s.y_plus_1": "s && (((y) < ((h) - 1)))",
    }


def test_a_function_with_planes_has_its_only_loop_as_a_region(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        HEAD + f"void f(byte **p, const byte *s, int w) {{ {LOOP} {{ p[0][x] = s[2 * x]; "
        "p[1][x] = s[2 * x + 1]; } }"
    )
    (found,) = parse_file(path, split={"f"}).kernels
    assert [p.name for p in found.params] == ["s", "w", "p.0", "p.1"]


def test_a_function_that_looks_its_planes_up_has_the_loop_behind_as_a_region(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        HEAD + "void f(byte **p, byte *s, int n) { byte *a = p[0], *b = p[1], *end = s + 2 * n; "
        "while (s != end) { *s++ = *b++; *s++ = *a++; } }"
    )
    (found,) = parse_file(path, split={"f"}).kernels
    assert found.name == "f#1"
    assert {p.name for p in found.params} == {"s", "a", "b", "end.ahead"}


PLANES = """typedef unsigned char byte; void out(int);
void f(byte ***in, byte *d, int w, int h, int k, int n) { for (int y = 0; y < h; y++) { out(y);
BODY } }"""


def of_planes(tmp_path: Path, body: str) -> Kernel:
    path = tmp_path / "a.c"
    path.write_text(PLANES.replace("BODY", body))
    (found,) = parse_file(path).kernels
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{LOOP} d[x] = in[0][y][x] + in[1][y][x];", {"in.0.y", "in.1.y"}),
        (f"{LOOP} d[x] = in[k][y][x] + in[k][y + 1][x];", {"in.k.y", "in.k.y_plus_1"}),
        (f"for (int c = 0; c < n; c++) {LOOP} d[x * n + c] = in[c][y][x];", {"in.c.y"}),
        (f"byte *s = in[2][y]; {LOOP} in[0][y][x] = s[x];", {"s", "in.0.y"}),
        (f"{LOOP} for (int i = 0; i < n; i++) d[x] += in[k][i][x];", {"in.k"}),
    ],
)
def test_the_tables_of_planes_are_taken_apart(
    tmp_path: Path, body: str, expected: set[str]
) -> None:
    found = of_planes(tmp_path, body)
    names = {p.name for p in found.params if p.kind != "scalar"}
    assert names - {"d"} == expected and "in" not in names


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} d[x] = in[x][y][k];",
        f"{LOOP} {{ d[x] = in[k][y][x]; k++; }}",
        f"{LOOP} d[x] = in[0][y][x] + (in != 0);",
        f"in++; {LOOP} d[x] = (*in++)[y][x];",
        f"{LOOP} d[x] = in[-1][y][x];",
    ],
)
def test_tables_that_change_on_the_way_are_none(tmp_path: Path, body: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(PLANES.replace("BODY", body))
    assert not parse_file(path).kernels


def test_a_plane_is_looked_up_only_where_its_loops_run(tmp_path: Path) -> None:
    found = of_planes(tmp_path, "for (int x = w - 1; x >= k; x--) if (n) d[x] = in[1][y][x];")
    assert found.put_back is not None and found.put_back.refused is None
    (told,) = (a for a in found.put_back.arguments if a.is_row)
    assert told.text == "in[1][(signed long)(y)]" and told.when.endswith(" && in[1]")
    assert "((w) - 1) >= (k)" in told.when and "(n) != 0" in told.when
    assert ("in[1]", 8) in found.put_back.kept


@pytest.mark.parametrize(
    "body",
    [
        # Whether there is a first iteration isn't known where the call stands.
        "int e = d[0]; d[0] = 1; for (int x = 0; x < d[e]; x++) d[x + e] = in[1][y][x];",
        pytest.param(
            "for (int z = 0; z < n; z++) for (int x = 0; x < z; x++) d[z * w + x] = in[1][y][x];",
            id="a triangle",
        ),
    ],
)
def test_a_plane_of_loops_that_may_not_run_isnt_looked_up_at_the_call(
    tmp_path: Path, body: str
) -> None:
    found = of_planes(tmp_path, body)
    assert found.put_back is not None
    told = [a for a in found.put_back.arguments if a.text.startswith("in")]
    assert found.put_back.refused or all(a.text == "in[1]" and a.is_row for a in told)
