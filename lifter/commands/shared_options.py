"""Options that several commands have, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ..settings.options import MEMORY, TIMEOUT

_Command = Callable[..., Any]
_FORMS = ("text", "json", "sarif", "github", "junit")


def form_option(command: _Command) -> _Command:
    """`--format`, as the parameter `form`."""
    option = click.option(
        "--format",
        "form",
        type=click.Choice(_FORMS),
        default="text",
        metavar="|".join(_FORMS),
        help="Text for people, a document for programs, or what CI systems show.  [text]",
    )
    return option(command)


def quiet_option(command: _Command) -> _Command:
    """`--quiet`, as the parameter `quiet`."""
    return click.option(
        "--quiet",
        is_flag=True,
        help="Neither progress nor what is in order: problems and the last line alone.",
    )(command)


def reading_options(command: _Command) -> _Command:
    """`--std`, `-I` and `-D`, as the parameters `std`, `includes` and `defines`."""
    for option in (
        click.option(
            "-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."
        ),
        click.option(
            "-I", "includes", multiple=True, metavar="DIR", help="Look for headers here too."
        ),
        click.option("--std", metavar="STD", help="C++ standard, as in --std c++17."),
    ):
        command = option(command)
    return command


def limit_options(each: str) -> Callable[[_Command], _Command]:
    """`--timeout` and `--memory`, which hold for `each`."""

    def add(command: _Command) -> _Command:
        return _limit("--timeout", "SECONDS", each, TIMEOUT)(
            _limit("--memory", "MB", each, MEMORY)(command)
        )

    return add


def _limit(name: str, unit: str, each: str, default: float) -> Callable[[_Command], _Command]:
    return click.option(
        name,
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        metavar=unit,
        help=f"Per {each}.  [{default:g}]",
    )
