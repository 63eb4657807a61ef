"""`lift build DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..settings.options import available_cores

if TYPE_CHECKING:
    from ..build.build import Scheduling


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--target",
    metavar="TARGET",
    help="host, x86-64, aarch64, cuda, cuda-sm_90, or TRIPLE+features.  [host]",
)
@click.option(
    "--schedule",
    "method",
    metavar="NAME",
    help="default, Mullapudi2016, Sioutas2018, Sioutas2019, or Measured.  [F.schedule.py, else "
    "default]",
)
@click.option(
    "--machine",
    metavar="NAME|FILE",
    help="What to schedule for: cortex-a76, a .toml file, host,cores=1.  [host]",
)
@click.option(
    "--schedule-budget",
    "budget",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="How long Measured may try schedules, a function.  [20]",
)
@click.option(
    "--library/--no-library",
    default=True,
    help="Make liblifted.a, liblifted.so and lifted.h of all functions, too.  [--library]",
)
@click.option("--all", "every", is_flag=True, help="Prove all again first, whatever the seals say.")
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
def command(
    directory: Path,
    target: str | None,
    method: str | None,
    machine: str | None,
    budget: float | None,
    library: bool,
    every: bool,
    jobs: int | None,
) -> int:
    """Compiles the lifted functions below DIR, each into its own folder, and all into a library.

    A function F gets F.o, F.h, libF.a and, where a linker is on the machine, libF.so, for the
    target. The entry F_lifted takes exactly the original's parameters; the inline F_guarded in F.h
    tests the preconditions at run time and calls the original where they don't hold.

    DIR gets liblifted.a, liblifted.so and lifted.h with all functions. For host, x86-64 and aarch64
    they run on every such processor: on x86-64 each function is there for SSE4.1, AVX2 and AVX-512,
    and its first call chooses (LIFT_CPU=sse41|avx2|avx512 in the environment chooses a lower one).
    For another target they are for that very machine. What did not change isn't built again.

    For cuda (or cuda-sm_80: GPUs from that generation on; else sm_75) functions are there for this
    machine, and as kernels beside that: with LIFT_CUDA=1 calls whose images lie on the GPU run
    there, others where LIFT_CUDA_BYTES says that copies pay (lift bench DIR --target cuda does;
    LIFT_CUDA_BYTES=measured: each function's first calls find out).
    F_guarded takes images on the GPU where the proof doesn't hold, too. Linking needs nothing of
    CUDA.

    Nothing below DIR is ever run: pipeline.py is read, as by lift verify. A function whose files
    aren't what lift wrote is proved again of its source first, and isn't built where that fails.
    A seal is no signature: for a stranger's DIR take --all.

    F.schedule.py beside pipeline.py is the function's schedule: directives alone, yours or chosen
    by --schedule NAME, which plans the loops for images of ordinary size and the machine at hand
    (or --machine). It stays when F is lifted again. --schedule NAME writes it anew unless somebody
    edited it; --schedule default leaves it aside. Measured times its candidates, one function
    after the other.
    """
    from compiler.codegen.errors import TargetError

    from .building import Wanted, build_all

    scheduling = _scheduling(method, machine, budget)
    if (method or "").lower() == "measured" and budget != 0:
        jobs = 1  # what is timed has the machine to itself
    target = None if target == "host" else target
    wanted = Wanted(target, scheduling, library, every)
    try:
        return build_all(directory, wanted, jobs or available_cores())
    except TargetError as error:
        raise click.UsageError(f"--target {target}: {error}") from None


def _scheduling(method: str | None, machine: str | None, budget: float | None) -> Scheduling:
    """Who is to schedule; raises `click.UsageError` for what makes no sense."""
    from compiler.autosched import Machine, MachineError, available

    from ..build.build import Scheduling

    if method is None or method.lower() == "default":
        for option, value in (("--machine", machine), ("--schedule-budget", budget)):
            if value is not None:
                raise click.UsageError(f"{option} needs --schedule NAME: {', '.join(available())}.")
        return Scheduling(None if method is None else "default")
    name = next((n for n in available() if n.lower() == method.lower()), None)
    if name is None:
        known = ", ".join(["default", *available()])
        raise click.UsageError(f"--schedule {method}: known are {known}.")
    settings = []
    if machine is not None:
        try:
            Machine.read(machine)
        except MachineError as error:
            raise click.UsageError("--machine: " + "\n".join(error.sentences)) from None
        settings.append(("machine", machine))
    if budget is not None:
        if name != "Measured":
            raise click.UsageError("--schedule-budget is for --schedule Measured alone.")
        settings.append(("budget", repr(budget)))
    return Scheduling(name, tuple(settings))
