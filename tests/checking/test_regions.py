"""`lift verify` watches loops as it does functions, and finds them again by what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.command_line import run

LOOPS = {
    "invert": "for (int i = 0; i < n; i++) d[i] = 255 - s[i];",
    "halve": "for (int i = 0; i < n; i++) d[i] = d[i] / 2;",
    "other": "for (int i = 0; i < n; i++) d[i] = s[i] | 1;",
}


def source(*loops: str, call: str = "out(n);") -> str:
    body = f"\n    {call}\n    ".join(LOOPS.get(one, one) for one in loops)
    return f"""void out(int);
void f(unsigned char *d, const unsigned char *s, int n)
{{
    out(0);
    {body}
}}
"""


@pytest.fixture
def verify(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(source("invert", "halve"))
    assert run(["a.cpp", "-o", "lifted"]) == 0
    capsys.readouterr()

    def verify(text: str) -> tuple[int, str]:
        Path("a.cpp").write_text(text)
        status = run(["verify", "lifted"])
        return status, capsys.readouterr().out

    return verify


@pytest.mark.slow
def test_loops_that_are_as_they_were_are_equal(verify) -> None:
    status, out = verify("// moved down\n\n" + source("invert", "halve", call="out(n + 1);"))
    assert status == 0 and "2 equal" in out


@pytest.mark.slow
def test_a_loop_is_found_again_behind_a_new_one(verify) -> None:
    _, out = verify(source("other", "invert", "halve"))
    assert "2 equal" in out and "1 new" in out


def test_loops_that_change_places_are_found_again(verify) -> None:
    status, out = verify(source("halve", "invert"))
    assert status == 0 and "2 equal" in out


@pytest.mark.slow
def test_a_loop_that_means_something_else_is_not_equal(verify) -> None:
    status, out = verify(source("invert", LOOPS["halve"].replace("/ 2", "/ 3")))
    assert status != 0 and "f#2" in out and "1 equal" in out


def test_a_loop_that_is_gone_is_gone(verify) -> None:
    status, out = verify(source("invert"))
    assert status != 0 and "f#2" in out


def test_a_variable_that_is_read_afterwards_now_is_no_longer_inside(verify) -> None:
    changed = LOOPS["halve"].replace("d[i] = d[i] / 2;", "{ last = d[i]; d[i] = d[i] / 2; }")
    text = source("invert", changed).replace("out(0);", "out(0); int last = 0;")
    status, out = verify(text.replace("}\n}", "}\n    out(last);\n}"))
    assert status != 0 and "f#2" in out
