"""Floats that are added and converted are numbers of which nothing is known."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from tests.parse.parsing import kernel


@pytest.mark.parametrize("type", ["unsigned char", "unsigned", "unsigned short", "int"])
@pytest.mark.parametrize("change", ["t += s[i]", "t = (%s)(s[i] + s[i + 1])", "t = t * 3 + s[i]"])
def test_a_scalar_of_integers_takes_sums_of_floats(type: str, change: str) -> None:
    step = change.replace("%s", type)
    text = f"""
        void f(const float *s, unsigned char *d, int n) {{
            {type} t = 0;
            for (int i = 0; i < n; ++i) {{ if (s[i] < 7) d[i] = t == 0 ? 3 : 1; {step}; }}
        }}"""
    assert "d" in {stage.output for stage in build_stage_graph(kernel(text)).order}
