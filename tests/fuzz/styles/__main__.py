"""Random kernels from seeds: `python -m tests.fuzz.styles --seed N --count M`."""

from __future__ import annotations

from collections import Counter

import click

from tests.fuzz.styles.batch import outcomes
from tests.fuzz.styles.kernel import kernel_of_seed

BATCH = 20


@click.command()
@click.option("--seed", default=0, help="The first kernel.")
@click.option("--count", default=1, help="How many kernels.")
@click.option("--calls", default=30, help="Calls of each, some of which C++ leaves undefined.")
@click.option("--timeout", default=20.0, help="Seconds for one kernel's proof.")
@click.option("--show", is_flag=True, help="Print the kernels themselves.")
def main(seed: int, count: int, calls: int, timeout: float, show: bool) -> None:
    """Lifts, builds and compares; prints what is wrong, what is refused, and the counts."""
    lifted, refused, wrong, taken = 0, Counter[str](), 0, 0
    for begin in range(seed, seed + count, BATCH):
        kernels = [kernel_of_seed(n) for n in range(begin, min(begin + BATCH, seed + count))]
        if show:
            for k in kernels:
                print(f"// {k.name}: {k.parts}\n{k.source}")
        for one in outcomes(kernels, calls=calls, timeout=timeout):
            line = f"{one.kernel.name} ({one.kernel.parts})"
            if one.refused:
                refused[one.refused.split(":")[0]] += 1
                print(f"refused {line}: {one.refused}", flush=True)
                continue
            lifted += 1
            taken += one.calls
            if one.wrong:
                wrong += 1
                number = one.kernel.name.removeprefix("fuzz")
                print(f"WRONG {line}: {one.wrong}\n  replay: --seed {number}", flush=True)
        print(f"to {begin + BATCH - 1}: {lifted} lifted, {refused.total()} refused, {wrong} wrong",
              flush=True)  # fmt: skip
    print(f"{lifted} lifted ({taken} calls), {dict(refused)} refused, {wrong} wrong")


if __name__ == "__main__":
    main()
