"""A writer of LLVM's textual language: modules, functions, blocks, instructions.

LLVM parses and checks the text, so the writer knows nothing about types beyond their names. Text
and not objects because it is several times faster to make, and readable where it is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..ir import Call, Expr
from .target import Target


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: LLVM's name of its type, and its name or constant text."""

    type: str
    text: str

    def __str__(self) -> str:
        return f"{self.type} {self.text}"


def pointer(space: int = 0) -> str:
    """LLVM's name of the type of addresses in an address space; CPUs have 0 alone."""
    return f"ptr addrspace({space})" if space else "ptr"


def pointer_suffix(address: Value) -> str:
    """The part of a memory intrinsic's name for an address, or for a vector of addresses."""
    space = re.search(r"addrspace\((\d+)\)", address.type)
    lanes = re.match(r"<(\d+) x", address.type)
    return f"{f'v{lanes[1]}' if lanes else ''}p{space[1] if space else 0}"


def i32(number: int) -> Value:
    return Value("i32", str(number))


def i64(number: int) -> Value:
    return Value("i64", str(number))


def quoted(name: str) -> str:
    """`name` inside of quotes."""
    return re.sub(r"[^A-Za-z0-9_.$]", lambda m: "".join(f"\\{b:02X}" for b in m[0].encode()), name)


def escaped(data: bytes) -> str:
    """`data` as the inside of a constant `c"..."`."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


class ModuleBuilder:
    """Declarations, globals and functions, in the order that they were added."""

    def __init__(self, name: str, target: Target) -> None:
        self.name = re.sub(r"[^A-Za-z0-9_.$]", "_", name)
        self.target = target
        self._lines: dict[str, None] = {}
        self._functions: list[str] = []
        self._names = 0
        self._known: set[str] = set()
        self._metadata: dict[str, int] = {}
        self._memory = ""
        self._same_memory: dict[str, str] = {}
        self.vector_stages: frozenset[str] = frozenset()
        """Stages of the pipeline under construction that the schedule vectorizes."""
        self.atomics_by = ""
        """LLVM's `syncscope(...) ` of atomic instructions: whose threads see them, if not all."""
        self.printed_to = 2
        """The file descriptor of what the pipeline prints: stderr, as of the real package."""
        self.selected: Callable[[Expr], Expr] = lambda expr: expr
        """Instruction selection: an equal expression, nearer to the machine."""
        self.launched: list[Value] = []
        """What tells the runtime of kernels, one for each list of them."""
        self.own_calls: Mapping[str, Callable[[FunctionBuilder, Call, Sequence[Value]], Value]] = {}
        """The values of calls that selection has made for this module alone."""

    @property
    def declared(self) -> list[str]:
        """The names of the functions and intrinsics that were declared."""
        found = (re.search(r"^declare .*?@([\w.]+)\(", line) for line in self._lines)
        return [match[1] for match in found if match]

    def declare(self, name: str, result: str, parameters: str, attributes: str = "") -> str:
        """Declares an external function or an intrinsic; gives its `@name`."""
        self._lines[f"declare {result} @{name}({parameters}) {attributes}".rstrip()] = None
        return f"@{name}"

    def add_global(self, text: str) -> None:
        self._lines[text] = None

    def string(self, content: str) -> Value:
        """The address of a private, zero-ended constant string."""
        data = content.encode() + b"\0"
        name = f'@"{self.name}.text.{self.fresh()}"'
        self.add_global(
            f'{name} = private unnamed_addr constant [{len(data)} x i8] c"{escaped(data)}"'
        )
        return Value("ptr", name)

    def metadata(self, content: str) -> str:
        """The name of the metadata node `!{content}`; with `SELF` in it the node is a new one."""
        number = self._metadata.get(content)
        if number is None or "SELF" in content:
            number = len(self._metadata)
            self._metadata[content if "SELF" not in content else f"{content} {number}"] = number
            distinct = "distinct " if "SELF" in content else ""
            text = content.replace("SELF", f"!{number}")
            self.add_global(f"!{number} = {distinct}!{{{text}}}")
        return f"!{number}"

    def start_memory(self, name: str, in_place: Iterable[tuple[str, str]] = ()) -> None:
        """From here on `memory_tag`s are of buffers of the pipeline `name`.

        The two of each pair in `in_place` may be one memory.
        """
        root = self.metadata(f'!"memory of {quoted(name)}"')
        self._memory = root
        self._same_memory = dict(in_place)

    def memory_tag(self, buffer: str) -> str:
        """What an access of `buffer` has at its end: no two buffers of one pipeline overlap, but
        for those that it may overwrite."""
        if not self._memory:
            return ""
        buffer = self._same_memory.get(buffer, buffer)
        node = self.metadata(f'!"{quoted(buffer)}", {self._memory}, i64 0')
        return f", !tbaa {self.metadata(f'{node}, {node}, i64 0')}"

    def once(self, key: str) -> bool:
        """Whether `key` is asked about for the first time."""
        known = key in self._known
        self._known.add(key)
        return not known

    def fresh(self) -> int:
        self._names += 1
        return self._names

    def add_function(self, text: str) -> None:
        self._functions.append(text)

    def __str__(self) -> str:
        head = [f'source_filename = "{self.name}"', f'target triple = "{self.target.triple}"']
        return "\n".join([*head, *self._lines, *self._functions, ""])


class FunctionBuilder:
    """One function under construction; instructions go to the end of the current block."""

    def __init__(self, module: ModuleBuilder, header: str) -> None:
        """`header` is everything of `define ... @name(...) attributes` before the brace."""
        self.module = module
        self.header = header
        self._entry: list[str] = []
        self._lines: list[str] = []
        self._names = 0
        self.block = "body"
        self.terminated = False
        self.stream_stores: frozenset[str] = frozenset()
        """Buffers that are to be written past the caches."""
        self.stream_large: frozenset[str] = frozenset()
        """Buffers that are, where `streams.size_flag` holds of them."""
        self.stream_loads: frozenset[str] = frozenset()
        self.streams = False
        """Whether anything was written past the caches, so that a fence is due."""
        self.features: set[str] = set()
        """Hidden features of the target whose instructions the function names."""
        self.narrow_indices = False
        """Whether indices are computed in 32 bits where they fit, for memories that are small
        enough (see `narrow_indices.py`)."""
        self.contracts_floats = module.target.contracts_floats
        """Whether a product that is appended now may go unrounded into a sum."""

    def finish(self) -> None:
        """Puts the function into its module."""
        lines = ["entry:", *self._entry, "  br label %body", "body:", *self._lines]
        attributes = ""
        if self.features:
            features = self.module.target.llvm_features(self.features)
            attributes = f' "target-features"="{features}"'
        self.module.add_function("\n".join([f"{self.header}{attributes} {{", *lines, "}", ""]))

    def name(self, hint: str = "t") -> str:
        self._names += 1
        return f"%{hint}{self._names}"

    def emit(self, type: str, text: str) -> Value:
        """Appends `%new = text`; the result has `type`."""
        name = self.name()
        self._lines.append(f"  {name} = {text}")
        return Value(type, name)

    def do(self, text: str) -> None:
        """Appends an instruction without a result."""
        self._lines.append(f"  {text}")

    def element(self, type: str, base: Value, index: Value | int) -> Value:
        """The address of the element `index` of `type` after `base`, in the same address space.

        `index` is an i64, or a vector of integers, for a vector of addresses.
        """
        index = i64(index) if isinstance(index, int) else index
        vector = index.type.startswith("<")
        result = f"{index.type.rpartition(' x ')[0]} x {base.type}>" if vector else base.type
        return self.emit(result, f"getelementptr {type}, {base}, {index}")

    def alloca(self, type: str, count: int = 1, align: int = 16) -> Value:
        """Stack memory that lives as long as the function's frame."""
        name = self.name("stack")
        self._entry.append(f"  {name} = alloca {type}, i64 {count}, align {align}")
        return Value("ptr", name)

    def label(self, hint: str) -> str:
        self._names += 1
        return f"{hint}{self._names}"

    def start(self, label: str) -> None:
        """Starts the block `label`; the block before falls through unless it has ended."""
        if not self.terminated:
            self._lines.append(f"  br label %{label}")
        self._lines.append(f"{label}:")
        self.block = label
        self.terminated = False

    def jump(self, label: str, suffix: str = "") -> None:
        if not self.terminated:
            self._lines.append(f"  br label %{label}{suffix}")
            self.terminated = True

    def branch(self, condition: Value, then: str, otherwise: str, likely: bool = False) -> None:
        """Ends the block; `likely` says that `condition` nearly always holds."""
        weights = ""
        if likely:
            node = self.module.metadata('!"branch_weights", i32 100000, i32 1')
            weights = f", !prof {node}"
        self._lines.append(f"  br i1 {condition.text}, label %{then}, label %{otherwise}{weights}")
        self.terminated = True

    def ret(self, value: Value | None = None) -> None:
        self._lines.append("  ret void" if value is None else f"  ret {value}")
        self.terminated = True

    def call(self, result: str, callee: str, args: Sequence[Value], signature: str = "") -> Value:
        """Calls `callee`; `signature` is the function type of a variadic one."""
        text = f"call {signature or result} {callee}({', '.join(map(str, args))})"
        if result == "void":
            self.do(text)
            return Value("void", "")
        return self.emit(result, text)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Code that runs only where `condition` holds."""
        then, after = self.label("then"), self.label("after")
        self.branch(condition, then, after)
        self.start(then)
        yield
        self.jump(after)
        self.start(after)

    def _loop_properties(self, hints: Mapping[str, str] | None) -> str:
        if not hints:
            return ""
        texts = [", ".join(filter(None, [f'!"llvm.loop.{n}"', x])) for n, x in hints.items()]
        nodes = map(self.module.metadata, texts)
        return f", !llvm.loop {self.module.metadata(', '.join(['SELF', *nodes]))}"

    @contextmanager
    def counting(self, extent: Value, hints: Mapping[str, str] | None = None) -> Iterator[Value]:
        """A loop whose counter goes from 0 up to, not including, `extent`, an i64 or an i32.

        `hints` has the operands of LLVM's loop properties, by names without their `llvm.loop.`.
        """
        head, body, after = self.label("head"), self.label("loop"), self.label("done")
        before = self.block
        counter = Value(extent.type, self.name("i"))
        following = self.name("next")
        self.jump(head)
        self.start(head)
        slot = len(self._lines)
        more = self.emit("i1", f"icmp slt {counter}, {extent.text}")
        self.branch(more, body, after)
        self.start(body)
        yield counter
        if not self.terminated:
            self.do(f"{following} = add nsw {counter}, 1")
            back = f", [ {following}, %{self.block} ]"
            self.jump(head, self._loop_properties(hints))
        else:
            back = ""
        self._lines.insert(slot, f"  {counter.text} = phi {counter.type} [ 0, %{before} ]{back}")
        self.start(after)


def splatted(f: FunctionBuilder, value: Value, lanes: int) -> Value:
    """The scalar `value` in every lane of a vector."""
    vector = f"<{lanes} x {value.type}>"
    first = f.emit(vector, f"insertelement {vector} poison, {value}, i32 0")
    zeros = f"<{lanes} x i32> zeroinitializer"
    return f.emit(vector, f"shufflevector {first}, {vector} poison, {zeros}")
