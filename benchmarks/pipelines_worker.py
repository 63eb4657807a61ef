"""A process that compiles and runs programs of corpus/pipelines with one engine, on demand.

    python benchmarks/pipelines_worker.py ours|halide

Reads one JSON request a line from standard input, and answers each by one JSON line:

* `{"do": "prepare", "program": ..., "schedule": ..., "inputs": FILE.npz, "outputs": FILE.npz,
  "size": [...]}` compiles, calls once, saves the outputs; `{"compile": seconds}`
* the same with `"method": NAME` and `"parameters": {...}` in the place of a schedule: an
  autoscheduler of the engine's chooses; `{"compile": seconds, "schedule": seconds, "source": text}`
* `{"do": "run", "seconds": s}` calls at least once and for about that long; `{"times": [...]}`
* `{"do": "compile", "program": ..., "schedule": ...}` only compiles, twice: what an engine does
  once in a process is in the first; `{"compile": seconds, "again": seconds}`

An exception is answered by `{"error": "..."}`. Threads and the allocator are chosen by the
environment: an engine reads it once, so each choice needs a process of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus.pipelines import load
from corpus.pipelines.program import Bound, Compiled, autoschedule

# What each engine consists of; imported before a clock starts.
MODULES = {
    "ours": ("compiler", "compiler.lower", "compiler.codegen"),
    "halide": ("halide",),
}


class Worker:
    """The engine and the call that is ready now, if any."""

    def __init__(self, engine: str) -> None:
        modules = [importlib.import_module(name) for name in MODULES[engine]]
        self.hl: ModuleType = modules[0]
        self.ready: Bound | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            match request["do"]:
                case "prepare":
                    return self.prepare(request)
                case "run":
                    return self.run(request["seconds"])
                case _:
                    first, again = (self.compile(request)[1] for _ in range(2))
                    return {"compile": first, "again": again}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def compile(self, request: Mapping[str, Any]) -> tuple[Compiled, float]:
        """From the first line of the algorithm to code that can be called."""
        program = load(request["program"])
        # Without it we would schedule what has no directive, which is what `default` asks for.
        os.environ["LIFT_DEFAULT_SCHEDULE"] = "off" if request["schedule"] == "plain" else "on"
        began = time.perf_counter()
        compiled = program.compile(self.hl, request["schedule"])
        return compiled, time.perf_counter() - began

    def autoschedule(
        self, request: Mapping[str, Any], values: Mapping[str, Any]
    ) -> tuple[Compiled, dict[str, Any]]:
        """The same where a method of the engine's schedules; and what that took and gave."""
        algorithm = load(request["program"]).build(self.hl)
        began = time.perf_counter()
        made = autoschedule(
            self.hl, algorithm, request["method"], values, tuple(request["size"]),
            **request.get("parameters", {}),
        )  # fmt: skip
        scheduled = time.perf_counter()
        compiled = Compiled(self.hl, algorithm)
        done = time.perf_counter()
        return compiled, {
            "compile": done - scheduled,
            "schedule": scheduled - began,
            "source": made.schedule_source,
        }

    def prepare(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.ready = None  # frees the last program's images first
        with np.load(request["inputs"]) as file:
            values = {name: file[name] if file[name].ndim else file[name].item() for name in file}
        if "method" in request:
            compiled, answer = self.autoschedule(request, values)
        else:
            compiled, seconds = self.compile(request)
            answer = {"compile": seconds}
        bound = compiled.bind(values, tuple(request["size"]))
        bound()
        np.savez(request["outputs"], *bound.outputs)
        self.ready = bound
        return answer

    def run(self, seconds: float) -> dict[str, Any]:
        if self.ready is None:
            raise RuntimeError("nothing is prepared")
        times: list[float] = []
        while sum(times) < seconds or not times:
            began = time.perf_counter()
            self.ready()
            times.append(time.perf_counter() - began)
        return {"times": times}


def main() -> None:
    # Whatever an engine prints goes to standard error, so that answers stay alone.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(sys.argv[1])
    for line in sys.stdin:
        answers.write(json.dumps(worker.answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
