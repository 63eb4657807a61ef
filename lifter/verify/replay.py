"""Replays a stored obligation: a fresh solver reads its SMT-LIB text and says whether it holds."""

from __future__ import annotations

from typing import Literal

Answer = Literal["unsat", "sat", "unknown", "error"]
"""`unsat`: the obligation holds."""


def replay(text: str, solver: str, seconds: float) -> tuple[Answer, str]:
    """(the answer, the error's words) of `z3` or `cvc5` to a query, in its time.

    Raises `ImportError` where its package isn't installed. Work for a child process: a solver may
    crash, or not keep its time.
    """
    return _by_cvc5(text, seconds) if solver == "cvc5" else _by_z3(text, seconds)


def _by_z3(text: str, seconds: float) -> tuple[Answer, str]:
    import z3

    answer = "unknown"
    # One is quick at products of integers, the other at bits.
    for make, share in ((z3.SimpleSolver, 0.3), (z3.Solver, 0.7)):
        solver = make(ctx=z3.Context())
        solver.set("timeout", max(1, int(seconds * share * 1000)))
        try:
            solver.from_string(text)
            answer = str(solver.check())
        except z3.Z3Exception as error:
            return "error", str(error)
        if answer != "unknown":
            break
    return _answer(answer), ""


def _by_cvc5(text: str, seconds: float) -> tuple[Answer, str]:
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answers = []
    try:
        while True:
            command = parser.nextCommand()
            if command.isNull():
                break
            said = str(command.invoke(solver, symbols)).strip()
            if said:
                answers.append(said)
    except RuntimeError as error:
        return "error", str(error)
    return (_answer(answers[-1]), "") if len(answers) == 1 else ("error", "; ".join(answers))


def _answer(text: str) -> Answer:
    if text == "unsat":
        return "unsat"
    if text == "sat":
        return "sat"
    return "unknown"
