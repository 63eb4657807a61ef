"""Views as class libraries have them: two strides, accessors that choose, sums beside stores."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel
from tests.verify.differential import difference

VIEW = """
    #include <cstddef>
    #include <cstdint>
    typedef std::ptrdiff_t index_t;
    struct View {
        int *data;
        index_t rows, cols, rowStride, colStride;
        int &operator()(index_t r, index_t c) const { return data[r * rowStride + c * colStride]; }
    };
    """


def lift(text: str) -> FunctionResult:
    return lift_kernel(kernel(text), LiftOptions())


def preconditions(result: FunctionResult) -> list[str]:
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    return [p.text for p in result.proof.preconditions]


def each(body: str, parameters: str = "View v, View w") -> str:
    loops = "for (index_t r = 0; r < v.rows; ++r) for (index_t c = 0; c < v.cols; ++c)"
    return f"{VIEW}void f({parameters}) {{ {loops} {body} }}"


def test_neighbours_that_lie_a_stride_apart_are_kept_apart_by_the_guard() -> None:
    stated = preconditions(lift(each("v(r, c) = w(r, c) * 2;")))
    rows = "v.colStride >= 1 && v.colStride * v.cols <= v.rowStride"
    assert f"{rows} || v.rowStride >= 1 && v.rowStride * v.rows <= v.colStride" in stated
    assert not any("w.colStride >= 1" in p for p in stated)  # what is only read may repeat


def test_a_view_whose_two_strides_are_one_is_not_proved() -> None:
    body = "v.data[(r + c) * v.rowStride] = w(r, c);"
    assert lift(each(body)).status != "proved"


def test_a_product_of_matrices_reads_each_at_its_own_strides() -> None:
    body = "{ int64_t s = 0; for (index_t k = 0; k < w.cols; ++k) s += (int64_t)w(r, k) * b(k, c);"
    result = lift(each(f"{body} v(r, c) = (int)s; }}", "View v, View w, View b"))
    assert "v.data and w.data don't overlap" in preconditions(result)
    (summary,) = result.summaries
    assert "w.data(0, int32(i2), y)" in str(summary.expression)


COUNT = """
    void f(%s int *p, unsigned char *o, int rows, int cols, int *count) {
        int n = 0;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c) {
                const bool b = p[r * cols + c] > 3;
                %s
                n += b;
            }
        count[0] = n;
    }"""


def test_a_loop_may_store_and_count() -> None:
    stated = preconditions(lift(COUNT % ("const", "o[r * cols + c] = b;")))
    assert "o and p don't overlap" in stated


def test_a_loop_may_count_what_the_same_iteration_overwrites() -> None:
    assert lift(COUNT % ("", "p[r * cols + c] = b;")).status == "proved"


@pytest.mark.parametrize("store", ["p[0] = b;", "p[r] = 4;", "p[r * cols + c + 1] = b;"])
def test_a_count_of_what_an_earlier_iteration_overwrites_is_not_proved(store: str) -> None:
    assert lift(COUNT % ("", store)).status != "proved"


READER = """
    enum class Border { Clamp, Gray, Constant };
    static inline int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
    class Reader {
    public:
        Reader(const unsigned char *s, int n, Border b) : s_(s), n_(n), b_(b) {}
        int operator()(int x) const {
            if (x >= 0 && x < n_) return s_[x];
            switch (b_) {
            case Border::Clamp: return s_[clamped(x, n_)];
            case Border::Gray: return 3;
            case Border::Constant: break;
            }
            return 7;
        }
    private:
        const unsigned char *s_;
        int n_;
        Border b_;
    };
    """


@pytest.mark.slow
def test_an_accessor_may_choose_by_the_border_in_several_returns() -> None:
    result = lift(
        READER + "void f(unsigned char *d, const unsigned char *s, int n, Border b) {"
        "const Reader in(s, n, b); for (int x = 0; x < n; ++x) d[x] = in(x - 1) + in(x + 1); }"
    )
    assert preconditions(result) == ["d and s don't overlap"]


def test_what_an_accessor_keeps_from_one_call_to_the_next_is_handed_on() -> None:
    text = READER.replace("Border b_;", "Border b_; mutable int last_;")
    text = text.replace("b_(b) {}", "b_(b), last_(0) {}")
    text = text.replace("return s_[x];", "return last_ = s_[x];").replace(
        "return 7", "return last_"
    )
    result = lift(
        text + "void f(unsigned char *d, const unsigned char *s, int n, Border b) {"
        "const Reader in(s, n, b); for (int x = 0; x < n; ++x) d[x] = in(2 * x); }"
    )
    is_scan = any(stage.kind == "scan" for stage in result.summaries)
    assert result.status != "proved" or (is_scan and difference(result, 40) is None)


TILE = """
    struct Map { unsigned char *base; int pitch, left, right, top, bottom, planes; };
    void f(const Map &m) {
        for (int y = m.top; y < m.bottom; ++y) {
            unsigned char *d = m.base + (y - m.top) * m.pitch;
            unsigned char *e = d + (m.right - m.left) * m.planes;
            %s
        }
    }"""
WALKS = ["while (d != e) { *d = 255 - *d; ++d; }", "do { *d = 255 - *d; ++d; } while (d != e);"]


@pytest.mark.parametrize("walk", WALKS)
def test_a_row_is_walked_to_its_end_where_it_has_one(walk: str) -> None:
    stated = preconditions(lift(TILE % walk))
    assert any(p.startswith("m.planes * m.right") and p.endswith(">= 0") for p in stated)


def test_a_row_that_may_be_empty_is_no_call_to_leave_out() -> None:
    walk = "do { *d = 255 - *d; ++d; } while (d < e);"  # of an empty row it changes one sample
    result = lift(TILE % walk)
    assert result.status != "proved" or not any(">= 1" in p for p in preconditions(result))


PICK = """
    typedef unsigned char Byte;
    struct Pick {
        static Byte start() { return %s; }
        static Byte pick(Byte a, Byte b) { return %s; }
    };
    template <class P> void rank(Byte *d, const Byte *s, int w, int k) {
        for (int x = 0; x < w; ++x) {
            Byte v = P::start();
            for (int i = 0; i < k; ++i) v = P::pick(v, s[x + i]);
            d[x] = v;
        }
    }
    template void rank<Pick>(Byte *, const Byte *, int, int);
    """


@pytest.mark.parametrize(("start", "pick"), [("255", "b < a ? b : a"), ("0", "a <= b ? b : a")])
def test_a_policy_class_may_say_what_an_extreme_is(start: str, pick: str) -> None:
    assert preconditions(lift(PICK % (start, pick))) == ["d and s don't overlap"]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("pick", ["b < a ? b : a / 2", "b + 1 < a ? b : a", "(a + b) / 2"])
def test_a_policy_that_is_no_extreme_is_a_scan(pick: str) -> None:
    result = lift(PICK % ("255", pick))
    assert result.status == "proved" and "scan" in {s.kind for s in result.summaries}
    assert difference(result, 20) is None
