"""Machines as text: TOML for people to write, checked key by key, and `KEY=VALUE` on top.

A machine is the facts about it here, from which `Machine` makes one.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .machine_facts import CYCLES, MEMORY_CYCLES, PREFETCH_DISTANCE, Cache, Facts, MachineError
from .machine_host import host

FOLDER = Path(__file__).parent / "machines"
"""The shipped descriptions, each in a file of its name."""

MOST_LEVELS = 4
HOST = "host"

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}


class _Wrong(Exception):
    """A value that its key can't have."""


@dataclass(frozen=True)
class _Key:
    """One thing that may be said of a machine."""

    read: Callable[[Any], Any]
    """From a TOML value, or from the text behind a `=`; raises `_Wrong`."""
    allowed: str
    default: Any = None
    """None where somebody must say it."""


def _whole(low: int, high: int, power_of_two: bool = False) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value.strip()):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise _Wrong
        if power_of_two and value & (value - 1):
            raise _Wrong
        return value

    return read


def _quantity(low: float, high: float, unit: str) -> Callable[[Any], float]:
    """A number, or one with a unit: `24 GB/s`, `3.4 GHz`."""
    pattern = re.compile(rf"([-+\d.eE]+)\s*([kmgt]?)({re.escape(unit)})?", re.IGNORECASE)

    def read(value: Any) -> float:
        if isinstance(value, str):
            found = pattern.fullmatch(value.strip())
            try:
                value = float(found[1]) * _UNITS[found[2].lower()] if found else None
            except ValueError:
                raise _Wrong from None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise _Wrong
        if not math.isfinite(value) or not low <= value <= high:
            raise _Wrong
        return float(value)

    return read


def _size(value: Any) -> int:
    """Bytes: a whole number, or `48K`, `48 KiB`, `2M`."""
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+)\s*([kmg]?)(i?b)?", value.strip(), re.IGNORECASE)
        value = int(found[1]) * _BINARY[found[2].lower()] if found else None
    return _whole(1 << 9, 1 << 40)(value)


def _truth(value: Any) -> bool:
    if isinstance(value, str):
        value = {"true": True, "false": False}.get(value.strip().lower())
    if not isinstance(value, bool):
        raise _Wrong
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Wrong
    return value


_SIZE_WORDS = 'a size from 512 bytes up, such as 49152, "48K" or "2 MiB"'
_KEYS = {
    "name": _Key(_name, "a text that isn't empty", ""),
    "cores": _Key(_whole(1, 4096), "a whole number from 1 to 4096"),
    "threads_per_core": _Key(_whole(1, 16), "a whole number from 1 to 16", 1),
    "vector_bits": _Key(
        _whole(32, 4096, power_of_two=True), "a power of two from 32 to 4096 (bits of a register)"
    ),
    "bandwidth": _Key(
        _quantity(1e6, 1e15, "B/s"), 'bytes a second, from 1e6 to 1e15, such as 24e9 or "24 GB/s"'
    ),
    "clock": _Key(_quantity(1e6, 1e11, "Hz"), 'cycles a second, such as 3.4e9 or "3.4 GHz"', 3e9),
    "prefetch_distance": _Key(
        _whole(0, 1024), "a whole number of lines from 0 to 1024", PREFETCH_DISTANCE
    ),
    "next_line_prefetch": _Key(_truth, "true or false", True),
    "memory_cycles": _Key(_quantity(1, 1e5, ""), "a number of cycles from 1 up", MEMORY_CYCLES),
}
_LEVEL_KEYS = {
    "size": _Key(_size, _SIZE_WORDS),
    "line": _Key(_whole(16, 1024, power_of_two=True), "a power of two from 16 to 1024 (bytes)", 64),
    "ways": _Key(_whole(1, 1024), "a whole number from 1 to 1024", 8),
    "shared_by": _Key(_whole(1, 65536), "a whole number of threads from 1 up", 1),
    "cycles": _Key(_quantity(1, 1e5, ""), "a number of cycles from 1 up", 0.0),
}
_LEVELS = {f"l{level}": level for level in range(1, MOST_LEVELS + 1)}
_ALL = {
    **_KEYS,
    **{f"{level}.{key}": k for level in _LEVELS for key, k in _LEVEL_KEYS.items()},
}


def names() -> list[str]:
    return [HOST, *sorted(path.stem for path in FOLDER.glob("*.toml"))]


def named(name: str) -> Facts:
    if name == HOST:
        return host()
    path = FOLDER / f"{name}.toml"
    if name not in names():
        raise MachineError(f"machine '{name}'", [_unknown(name)])
    return parsed(path.read_text(encoding="utf-8"), f"{name}.toml")


def _unknown(name: str) -> str:
    return f"there is neither a machine nor a file of this name; known are {', '.join(names())}"


def parsed(text: str, origin: str) -> Facts:
    """The machine of TOML text; raises `MachineError` with all that is wrong."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MachineError(origin, [f"this is no TOML: {error}"]) from None
    return _made(_flat(given), origin)


def read(text: str) -> Facts:
    what, *overrides = [part.strip() for part in text.split(",")]
    path = Path(what)
    if what in names():
        start = _said(named(what))
        origin = what
    elif path.is_file():
        try:
            start = _said(parsed(path.read_text(encoding="utf-8"), str(path)))
        except (OSError, UnicodeDecodeError) as error:
            raise MachineError(what, [f"it can't be read: {error}"]) from None
        origin = str(path)
    else:
        raise MachineError(f"machine '{what}'", [_unknown(what)])
    if not overrides:
        return _made(start, origin)
    given = {}
    for part in overrides:
        key, equals, value = part.partition("=")
        if not equals:
            raise MachineError(text, [f"'{part}' is no KEY=VALUE"])
        given[key.strip()] = value.strip()
    return _made(given, text, start)


def written(machine: Facts) -> str:
    lines: list[str] = []
    tables: list[str] = []
    said = _said(machine)
    guesses = said.pop("guesses", ())
    for key, value in said.items():
        note = "  # a guess" if key in guesses else ""
        level, dot, short = key.partition(".")
        if dot and short == "size":
            tables.append(f"\n[{level}]")
        (tables if dot else lines).append(f"{short or key} = {_literal(value)}{note}")
    if guesses:
        lines.append(f"guesses = [{', '.join(map(_literal, guesses))}]")
    return "\n".join([*lines, *tables]) + "\n"


def _literal(value: Any) -> str:
    """TOML, whose texts, numbers and truths are written as JSON's are."""
    if isinstance(value, float) and float(f"{value:.6g}") == value:
        return f"{value:.6g}"
    return json.dumps(value, ensure_ascii=False)


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            made.update({f"{key}.{inner}": v for inner, v in value.items()})
        else:
            made[key] = value
    return made


def _said(machine: Facts) -> dict[str, Any]:
    """What is said of a machine, by key."""
    made: dict[str, Any] = {
        key: machine[key] for key in _KEYS if key != "memory_cycles"
    }  # fmt: skip
    made["memory_cycles"] = machine["level_costs"][-1]
    for number, cache in enumerate(machine["caches"]):
        level = f"l{number + 1}"
        made |= {f"{level}.{key}": getattr(cache, key) for key in _LEVEL_KEYS if key != "cycles"}
        if number < len(machine["level_costs"]) - 1:
            made[f"{level}.cycles"] = machine["level_costs"][number]
    if machine["guesses"]:
        made["guesses"] = machine["guesses"]
    return made


def _made(said: Mapping[str, Any], origin: str, start: Mapping[str, Any] | None = None) -> Facts:
    """The machine of which `said` tells, by key, and where it is silent `start`.

    Raises `MachineError`.
    """
    given = dict(said)
    like = given.pop("like", None)
    if like is not None:
        if like not in names():
            raise MachineError(origin, [f"like = {like!r}: known are {', '.join(names())}"])
        start = _said(named(like))
    if start is not None:
        guesses = tuple(g for g in start.get("guesses", ()) if g not in given)
        given = {**start, "guesses": guesses, **given}
    guesses = given.pop("guesses", ())
    problems = []
    values: dict[str, Any] = {}
    for key, value in given.items():
        known = _ALL.get(key)
        if known is None:
            problems.append(_unknown_key(key))
            continue
        try:
            values[key] = known.read(value)
        except _Wrong:
            problems.append(f"{key} = {value!r}: expected {known.allowed}")
    present = [level for level in _LEVELS if any(k.startswith(f"{level}.") for k in given)]
    wanted = list(dict.fromkeys(["l1", *list(_LEVELS)[: len(present)], *present]))
    for key, known in _ALL.items():
        level, dot, short = key.partition(".")
        if key in given or (dot and level not in wanted):
            continue
        if known.default is None:
            problems.append(f"{key} is missing: expected {known.allowed}")
        values[key] = CYCLES[_LEVELS[level] - 1] if short == "cycles" else known.default
    if not _are_texts(guesses):
        problems.append("guesses: expected a list of keys")
    if not problems:
        threads = values["cores"] * values["threads_per_core"]
        for key in values:
            # With fewer cores than the machine that this one is like, fewer share a cache.
            if key.endswith(".shared_by") and key not in said:
                values[key] = min(values[key], threads)
        problems = _contradictions(values, wanted)
    if problems:
        raise MachineError(origin, problems)
    caches = tuple(
        Cache(*(values[f"{level}.{key}"] for key in ("size", "line", "ways", "shared_by")))
        for level in wanted
    )
    costs = (*(values[f"{level}.cycles"] for level in wanted), values["memory_cycles"])
    own = {key: values[key] for key in _KEYS if key not in ("memory_cycles", "name")}
    name = values["name"] or (Path(origin).stem if origin.endswith(".toml") else origin)
    made = {"name": name, "caches": caches, "level_costs": costs, "guesses": tuple(guesses)}
    return {**made, **own}


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _unknown_key(key: str) -> str:
    close = difflib.get_close_matches(key, _ALL, 1)
    hint = f"; did you mean {close[0]}?" if close else "."
    levels = f"l1.* to l{MOST_LEVELS}.* with {', '.join(_LEVEL_KEYS)}"
    return f"{key} is no key{hint} Allowed are like, {', '.join(_KEYS)}, and {levels}"


def _contradictions(values: Mapping[str, Any], levels: list[str]) -> list[str]:
    """What can't all be true at once."""
    found = []
    threads = values["cores"] * values["threads_per_core"]
    inner: str | None = None
    for level in levels:
        size, line, ways = (values[f"{level}.{key}"] for key in ("size", "line", "ways"))
        if line * ways > size:
            found.append(
                f"{level}.ways = {ways}: so many lines of {line} bytes are more than {level}.size "
                f"= {size}"
            )
        if values[f"{level}.shared_by"] > threads:
            found.append(
                f"{level}.shared_by = {values[f'{level}.shared_by']}: there are {threads} threads "
                "(cores * threads_per_core)"
            )
        if inner is not None:
            for key, word in (("size", "larger"), ("cycles", "slower")):
                a, b = values[f"{inner}.{key}"], values[f"{level}.{key}"]
                if a > b:
                    found.append(
                        f"{inner}.{key} = {_literal(a)} is {word} than {level}.{key} = "
                        f"{_literal(b)}: each level must be at least as large and as slow as the "
                        "one before"
                    )
        inner = level
    slowest = values[f"{levels[-1]}.cycles"]
    if values["memory_cycles"] < slowest:
        found.append(
            f"memory_cycles = {values['memory_cycles']:g}: memory can't be faster than "
            f"{levels[-1]}.cycles = {slowest:g}"
        )
    return found


__all__ = ["named", "names", "parsed", "read", "written"]
