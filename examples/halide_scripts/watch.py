"""Watches a small pipeline at work: what it prints, stores and loads, and its loops."""

import halide as hl

x, y = hl.Var("x"), hl.Var("y")


def main():
    shout = hl.Func("shout")
    shout[x] = hl.print_when(x % 2 == 1, x * x, "is the square of", x)
    print([shout.realize([6])[i] for i in range(6)])

    small, big = hl.Func("small"), hl.Func("big")
    small[x, y] = x + 10 * y
    big[x, y] = small[x, y] + small[x + 1, y]
    small.compute_at(big, y).trace_stores().trace_realizations()
    big.trace_stores()
    big.realize([3, 2])

    big.print_loop_nest()
    try:
        big.realize([3])
    except hl.HalideError as error:
        print(type(error).__name__)


if __name__ == "__main__":
    main()
