"""Elements that a loop looks up where it has put a mark: `if (s[i] > s[at]) at = i`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

PARAMETERS = "int *r, const float *s, const int *t, int n, int k"
GREATEST = "int at = 0; for (int i = 1; i < n; i++) if (s[i] > s[at]) at = i; *r = at;"
LEAST = "int at = 0; for (int i = 1; i < n; i++) { int v = t[i]; if (v <= t[at]) at = i; } *r = at;"
BOTH = (
    "int low = 0, high = 0; for (int i = 1; i < n; i++)"
    " { if (t[i] < t[low]) low = i; if (t[i] > t[high]) high = i; } r[0] = low; r[1] = high;"
)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("body", [GREATEST, LEAST])
def test_what_is_at_the_mark_is_a_number_of_the_loop(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # Another element than the one that was compared, or a mark that goes on.
        GREATEST.replace("at = i;", "at = i + 1;", 1),
        GREATEST.replace("at = i;", "at = at + 1;", 1),
        # What is at the mark changes beside it.
        "int at = 0; for (int i = 1; i < n; i++) { if (t[i] > r[at]) at = i; r[i] = t[i]; }"
        " r[0] = at;",
        # Read in some iterations alone.
        "int at = k; for (int i = 1; i < n; i++) if (t[i] > 3 && t[i] > t[at]) at = i; *r = at;",
        # Set before it is looked up.
        "int at = k; for (int i = 1; i < n; i++) { at = i - 1; if (t[i] > t[at]) at = i; }"
        " *r = at;",
        BOTH,
    ],
)
def test_others_are_not_taken_for_these(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.diagnostic is None or result.diagnostic.code != "internal"
    assert result.status != "proved" or difference(result) is None


def test_nothing_new_is_read_at_a_mark() -> None:
    """The element behind a hit may be none."""
    body = GREATEST.replace("at = i;", "at = i + 1;", 1)
    assert lifted(f"void f({PARAMETERS}) {{ {body} }}").status != "proved"


def test_nothing_is_looked_up_without_an_iteration(tmp_path: Path) -> None:
    result = lift_kernel(kernel(f"{HEADER}void f({PARAMETERS}) {{ {GREATEST} }}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = f"""
    #include "{Path(__file__).parents[1] / "fenced.h"}"
    int main() {{
        for (int n = 0; n < 9; n++) {{
            float *s = (float *)fenced(n * 4, n & 1);
            for (int i = 0; i < n; i++) s[i] = (float)((i * 5 + 2) % 7);
            int r = -1;
            f_guarded(&r, s, 0, n, 0);
            printf("%d\\n", r);
        }}
    }}
    """
    before = f"void f({PARAMETERS}) {{ (void)t; (void)k; {GREATEST} }}\n"
    found = run_guarded(result, main, tmp_path, before)
    values = [(i * 5 + 2) % 7 for i in range(9)]
    assert found == [str(max(range(n), key=lambda i: values[i]) if n else 0) for n in range(9)]
