"""Random pipelines under random schedules: our compiler, the real Halide package, the interpreter.

`python -m tests.fuzz.pipelines --seed 17` replays one; `--count 5000` runs many; a failure is
shrunk to a program that one can read.
"""
