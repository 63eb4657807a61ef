"""`lift explain FILE:FUNC` and `lift explain CODE`."""

from __future__ import annotations

from pathlib import Path

import click

from ..diagnostic import Diagnostic, LiftError


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("subject", metavar="FILE:FUNC|CODE")
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

    FILE:FUNC shows the place, the best candidate and the counterexample of a function that failed;
    the stages, terminals, definitions, obligations and preconditions of one that was proved. It
    looks at the results of the last run in DIR. CODE is the word in brackets at a diagnostic's end.
    """
    from ..explain import explain_code, explain_function

    if ":" in subject:
        file, _, function = subject.rpartition(":")
        click.echo(explain_function(file, function, out))
        return 0
    text = explain_code(subject)
    if text is None:
        raise LiftError(_unknown(subject))
    click.echo(text)
    return 0


def _unknown(subject: str) -> Diagnostic:
    import difflib

    from ..codes import all_codes

    if Path(subject).exists():
        return Diagnostic(
            "unknown-code",
            "error",
            f"{subject} is a file: which function of it?",
            help=f"lift explain {subject}:FUNCTION",
        )
    near = difflib.get_close_matches(subject, sorted(all_codes()), n=3, cutoff=0.4)
    return Diagnostic(
        "unknown-code",
        "error",
        f"no diagnostic has the code `{subject}`",
        help=f"did you mean {', '.join(near)}?" if near else "docs/failures.md lists all codes",
    )
