"""`lift explain FILE:FUNC`, `lift explain FILE` and `lift explain CODE`."""

from __future__ import annotations

from pathlib import Path

import click

from ..model.diagnostic import Diagnostic, LiftError
from ..show.visible import visible_line


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("subject", metavar="FILE:FUNC|FILE|CODE")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("lifted"),
    metavar="DIR",
    help="Where the run put its results.  [lifted]",
)
def command(subject: str, out: Path) -> int:
    """Says why a function failed or how it was proved, or what a diagnostic's code means.

    FILE:FUNC tells how far a function that failed came, what stands in the way, the closest
    candidate with a counterexample, and what you can do; of one that was proved, what it computes
    and why that is believed. FILE lists its functions. Both look at the results of the last run in
    DIR, and take its options. CODE is the word in brackets at a diagnostic's end, or the name of an
    obligation (unique, frame, ...). Nothing is written.
    """
    from ..story.explain import explain_code, explain_file, explain_function

    place = _place(subject)
    if place is not None:
        file, function = place
        click.echo(explain_function(file, function, out) if function else explain_file(file, out))
        return 0
    text = explain_code(subject)
    if text is None:
        raise LiftError(_unknown(subject))
    click.echo(text)
    return 0


def _place(subject: str) -> tuple[str, str] | None:
    """The file and the function (maybe "") that are meant; None for a code.

    The name of a file may hold a colon, that of a function `::`.
    """
    if Path(subject).is_file():
        return subject, ""
    for place, character in enumerate(subject):
        if character == ":" and Path(subject[:place]).is_file():
            return subject[:place], subject[place + 1 :].lstrip(":")
    if ":" in subject:
        file, _, function = subject.partition(":")
        return file, function or "?"
    return None


def _unknown(subject: str) -> Diagnostic:
    import difflib

    from ..model.codes import all_codes

    if Path(subject).is_dir():
        return Diagnostic(
            "unknown-code",
            "error",
            f"{visible_line(subject)} is a folder: which file, which function of it?",
            help="lift explain FILE lists a file's functions, `lift report DIR` shows a whole run",
        )
    near = difflib.get_close_matches(subject, sorted(all_codes()), n=3, cutoff=0.4)
    return Diagnostic(
        "unknown-code",
        "error",
        f"no diagnostic has the code `{visible_line(subject)}`",
        help=f"did you mean {', '.join(near)}?" if near else "docs/failures.md lists all codes",
    )
