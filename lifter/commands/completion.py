"""Completion of command lines in bash, zsh and fish, as click has it; `lift` is one command to a
shell, though each subcommand is read by itself.

    eval "$(_LIFT_COMPLETE=bash_source lift)"      # in ~/.bashrc; zsh_source and fish_source, too
"""

from __future__ import annotations

import importlib
import os

import click
from click.shell_completion import CompletionItem, shell_complete

from ..command_line import COMMANDS

_VARIABLE = "_LIFT_COMPLETE"


class _Lift(click.Group):
    """`lift` with its subcommands, which are loaded when their options are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return _command("lift")  # a path: the options that follow are those of lifting
        found = _command(name)
        found.short_help = COMMANDS[name]
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = super().shell_complete(ctx, incomplete)
        return found if incomplete[:1] == "-" else [*found, CompletionItem(incomplete, type="file")]


def complete() -> int:
    """Answers the shell; gives the exit status."""
    options = [p for p in _command("lift").params if isinstance(p, click.Option)]
    group = _Lift("lift", params=list(options), no_args_is_help=False)
    return shell_complete(group, {}, "lift", _VARIABLE, os.environ[_VARIABLE])


def _command(name: str) -> click.Command:
    found: click.Command = importlib.import_module(f"lifter.commands.{name}").command
    return found
