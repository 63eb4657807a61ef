"""`[tool.lift]` of `pyproject.toml`, or `lift.toml`: every option of every command, for a project.

The nearest file counts, from the working directory up to the repository's root; outside of a
repository that of the working directory alone, so that nobody's file in a shared folder does. The
environment's `LIFT_CONFIG` names another file, or none when it is empty.
"""

from __future__ import annotations

import difflib
import importlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..model.diagnostic import Diagnostic, LiftError, Span
from .repository import repository_root

if TYPE_CHECKING:
    import click

OWN_FILE, PROJECT_FILE = "lift.toml", "pyproject.toml"
VARIABLE = "LIFT_CONFIG"
CLANG_ARGUMENTS = "clang-arguments"
"""What stands after `--` on the command line; the one key that is no option."""
_PATHS = frozenset({"paths", "includes", "database", "sources"})
"""Parameters that hold paths, beside those that click knows to be paths."""
_LOADS_CODE = re.compile(r"-(fplugin|fpass-plugin|load|plugin|Xclang|mllvm)")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file's settings: by command, by the name of click's parameter."""

    file: Path
    settings: Mapping[str, Mapping[str, Any]]
    clang_arguments: tuple[str, ...] = ()

    def of(self, command: str) -> Mapping[str, Any]:
        """The defaults of a command's parameters, for click's `default_map`."""
        return self.settings.get(command, {})


def find_configuration(start: Path) -> tuple[Path, dict[str, Any], str] | None:
    """The file, its table and where the table stands in it (`tool.lift`, or empty); None without.

    In one folder `lift.toml` goes before `pyproject.toml`. Raises `LiftError` (`configuration`)
    for a file that is no TOML.
    """
    start = start.resolve()
    named = os.environ.get(VARIABLE)
    if named is not None:
        return _named(start / named) if named else None
    root = repository_root(start) or start
    for folder in (start, *start.parents):
        for name in (OWN_FILE, PROJECT_FILE):
            found = _named(folder / name) if (folder / name).is_file() else None
            if found is not None:
                return found
        if folder == root:
            break
    return None


def _named(file: Path) -> tuple[Path, dict[str, Any], str] | None:
    """What a file has to say; None for a project's file without a table of ours."""
    if file.name != PROJECT_FILE:
        return file, _read(file), ""
    tool = _read(file).get("tool", {})
    if not isinstance(tool, dict) or "lift" not in tool:
        return None
    if not isinstance(tool["lift"], dict):
        _refuse(file, "lift", "[tool.lift] is no table")
    return file, tool["lift"], "tool.lift"


def load_configuration(start: Path, commands: Mapping[str, str]) -> Configuration | None:
    """The settings for a run that starts in the folder `start`; None where no file has any.

    `commands` are the names of the subcommands. Raises `LiftError` (`configuration`) for a file
    that can't be read, an unknown key or a value that the option doesn't take.
    """
    found = find_configuration(start)
    if found is None:
        return None
    file, table, prefix = found
    reader = _Reader(file, prefix, start.resolve())
    own = {key: value for key, value in table.items() if key not in commands}
    clang = own.pop(CLANG_ARGUMENTS, [])
    settings = {"lift": reader.command("lift", own, commands)}
    for name in commands:
        if name in table:
            if not isinstance(table[name], dict):
                reader.refuse("", name, f"`{name}` is a command: write a table [{reader.at(name)}]")
            settings[name] = reader.command(name, table[name], commands)
    return Configuration(file, settings, reader.clang_arguments(clang))


def parameters_of(command: str) -> dict[str, click.Parameter]:
    """A command's parameters by the names that they have in a file.

    An option's name is its long one, without the dashes; where it has none, or is an argument, it
    is the parameter's own. What only shows something (`--help`, `--version`) has none.
    """
    import click

    module = importlib.import_module(f"lifter.commands.{command}")
    parsed: click.Command = module.command
    found = {}
    for param in parsed.params:
        if param.name is None or param.is_eager or not param.expose_value:
            continue
        if isinstance(param, click.Argument) and param.name not in ("paths", "directory"):
            continue
        long = next((o[2:] for o in param.opts if o.startswith("--")), param.name)
        found[long] = param
    found.pop("show-config", None)
    return found


class _Reader:
    """Checks and converts the values of one file."""

    def __init__(self, file: Path, prefix: str, start: Path) -> None:
        self._file, self._prefix, self._start = file, prefix, start

    def at(self, command: str) -> str:
        """The name of a command's table."""
        inner = "" if command == "lift" else command
        return ".".join(part for part in (self._prefix, inner) if part)

    def refuse(self, command: str, key: str, message: str, help: str | None = None) -> NoReturn:
        _refuse(self._file, key, message, help, self.at(command) if command else "")

    def command(
        self, command: str, table: Mapping[str, Any], commands: Mapping[str, str]
    ) -> dict[str, Any]:
        """The parameters that a command's table sets, by click's names."""
        known = parameters_of(command)
        settings = {}
        for key, value in table.items():
            param = known.get(key)
            if param is None or param.name is None:
                names = [*known, *((CLANG_ARGUMENTS, *commands) if command == "lift" else ())]
                self._unknown(command, key, names)
            settings[param.name] = self._value(command, key, value, param)
        return settings

    def clang_arguments(self, value: Any) -> tuple[str, ...]:
        """Raises `LiftError` for arguments that would load code into libclang, too."""
        key = CLANG_ARGUMENTS
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            self.refuse("lift", key, f"`{key}` is {_kind(value)}; it takes a list of texts")
        for argument in value:
            if _LOADS_CODE.match(argument):
                self.refuse(
                    "lift",
                    key,
                    f"`{argument}` may load code into libclang; a file can't ask for that",
                    help="pass it on the command line, after `--`",
                )
        return tuple(value)

    def _unknown(self, command: str, key: str, names: list[str]) -> NoReturn:
        near = difflib.get_close_matches(key.lower().replace("_", "-"), names, n=1, cutoff=0.5)
        table = f" in [{self.at(command)}]" if self.at(command) else ""
        self.refuse(
            command,
            key,
            f"unknown key `{key}`{table}",
            help=f"did you mean `{near[0]}`?" if near else f"known are {', '.join(sorted(names))}",
        )

    def _value(self, command: str, key: str, value: Any, param: click.Parameter) -> Any:
        import click

        many = param.multiple if isinstance(param, click.Option) else param.nargs == -1
        if many and not isinstance(value, list):
            self.refuse(command, key, f"`{key}` is {_kind(value)}; it takes a list")
        values = value if many else [value]
        for one in values:
            wanted = _wanted(param)
            if not _is(one, wanted):
                said = f"`{key}` {'holds' if many else 'is'} {_kind(one)}; it takes {wanted}"
                self.refuse(command, key, said)
        if param.name in _PATHS or isinstance(param.type, click.Path):
            values = [self._path(one) for one in values]
        elif param.name == "machine":  # a name, or a file
            values = [self._path(one) if one.endswith(".toml") else one for one in values]
        elif param.name == "reports":
            values = [
                f"{form}{equals}{self._path(file)}"
                for form, equals, file in (one.partition("=") for one in values)
            ]
        given = values if many else values[0]
        context = click.Context(importlib.import_module(f"lifter.commands.{command}").command)
        try:
            param.process_value(context, given)
        except click.BadParameter as error:
            self.refuse(command, key, f"`{key}`: {error.message}")
        return given

    def _path(self, text: str) -> str:
        """Paths count from the file's folder; they are shown from the working directory."""
        folder = self._file.parent
        if os.path.isabs(text) or folder == self._start:
            return text
        return os.path.relpath(folder / text, self._start)


def _wanted(param: click.Parameter) -> str:
    import click

    if isinstance(param, click.Option) and param.is_flag:
        return "true or false"
    if isinstance(param.type, click.types.IntParamType):
        return "a whole number"
    if isinstance(param.type, click.types.FloatParamType):
        return "a number"
    return "a text"


def _is(value: Any, wanted: str) -> bool:
    if isinstance(value, bool):
        return wanted == "true or false"
    kinds: dict[str, tuple[type, ...]] = {"a whole number": (int,), "a number": (int, float)}
    return wanted != "true or false" and isinstance(value, kinds.get(wanted, (str,)))


def _kind(value: Any) -> str:
    names: dict[type, str] = {
        bool: "true or false", int: "a whole number", float: "a number", str: "a text",
        list: "a list", dict: "a table",
    }  # fmt: skip
    return names.get(type(value), "a date")


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        _refuse(file, "", f"it can't be read: {error.strerror}")
    except UnicodeDecodeError:
        _refuse(file, "", "it isn't UTF-8")
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = map(int, place.groups()) if place else (1, 1)
        told = str(error).partition(" (at ")[0]
        raise _error(file, f"it is no TOML: {told}", None, line, column, 1) from None


def _refuse(
    file: Path, key: str, message: str, help: str | None = None, table: str = ""
) -> NoReturn:
    line, column = _place(file, key, table)
    raise _error(file, message, help, line, column, max(1, len(key)))


def _error(
    file: Path, message: str, help: str | None, line: int, column: int, length: int
) -> LiftError:
    name = os.path.relpath(file)
    span = Span(name, line, column, line, column + length)
    return LiftError(Diagnostic("configuration", "error", f"{name}: {message}", span, help=help))


def _place(file: Path, key: str, table: str) -> tuple[int, int]:
    """Where a key stands below a table's header; the file's first line where it isn't found."""
    inside = not table
    for number, line in enumerate(_lines(file), start=1):
        header = re.match(r"\s*\[\s*([^\]]*?)\s*\]", line)
        if header:
            inside = header[1] == table
            if key and header[1] == f"{table}.{key}".strip("."):
                return number, header.start(1) + 1
        found = re.match(rf"""\s*["']?({re.escape(key)})["']?\s*[=.]""", line) if key else None
        if inside and found:
            return number, found.start(1) + 1
    return 1, 1


def _lines(file: Path) -> Iterator[str]:
    try:
        yield from file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return
