"""`lift --show-config`: the options in force, and where each comes from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from ..command_line import COMMANDS, PROVED
from ..settings.configuration import (
    CLANG_ARGUMENTS,
    Configuration,
    load_configuration,
    parameters_of,
)
from ..show.visible import visible_line


def show_configuration(context: click.Context) -> int:
    """Prints the options of this call of `lift`, then what the file has for other commands."""
    found = load_configuration(Path.cwd(), COMMANDS)
    name = visible_line(os.path.relpath(found.file)) if found else "no file"
    click.echo(f"settings of {name}\n" if found else "no lift.toml and no [tool.lift] in force\n")
    rows = [
        (key, context.params.get(param.name or ""), _origin(context, param, name))
        for key, param in parameters_of("lift").items()
    ]
    rows.append((CLANG_ARGUMENTS, context.obj, _origin_of_clang(context, found, name)))
    _table("lift", rows)
    for command in COMMANDS if found else ():
        settings = found.of(command) if found else {}
        keys = {p.name: key for key, p in parameters_of(command).items()} if settings else {}
        if settings:
            _table(f"lift {command}", [(keys[k], v, name) for k, v in settings.items()])
    return PROVED


def _origin(context: click.Context, param: click.Parameter, file: str) -> str:
    source = context.get_parameter_source(param.name or "")
    from_where = {"COMMANDLINE": "command line", "DEFAULT_MAP": file, "ENVIRONMENT": "environment"}
    return from_where.get(source.name if source else "", "default")


def _origin_of_clang(context: click.Context, found: Configuration | None, file: str) -> str:
    if not context.obj:
        return "default"
    return file if found and found.clang_arguments == context.obj else "command line"


def _table(title: str, rows: list[tuple[str, Any, str]]) -> None:
    click.echo(title)
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        click.echo(f"  {key:{width}}  {_value(value):30}  {origin}".rstrip())
    click.echo()


def _value(value: Any) -> str:
    if value is None or value in ((), []):
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return visible_line(", ".join(map(str, value)))
    return visible_line(str(value))
