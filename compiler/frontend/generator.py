"""`Generator`: a class that writes a pipeline, with parameters that are fixed when it does.

    @hl.generator(name="scale")
    class Scale:
        factor = hl.GeneratorParam(2)
        inp = hl.InputBuffer(hl.UInt(8), 2)
        out = hl.OutputBuffer(hl.UInt(8), 2)

        def generate(self):
            x, y = hl.vars("x y")
            self.out[x, y] = self.inp[x, y] * self.factor

`Scale.call(image)` inside of a `GeneratorContext` gives the output; `hl.main()` writes files.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable as AnyCallable
from collections.abc import Iterator
from contextvars import ContextVar, Token
from typing import Any

from ..lang.enums import ArgInfoDirection, ArgInfoKind
from ..lang.errors import fail
from ..lang.expr import Type
from ..lang.overloads import instance
from .autoscheduling import AutoschedulerParams
from .callable import Callable
from .func import Func
from .generator_io import (
    DeclaredPort,
    GeneratorParam,
    InputBuffer,
    InputScalar,
    OutputBuffer,
    Required,
    check_name,
    parsed_types,
)
from .pipeline import Pipeline
from .target import Target


class GeneratorContext:
    """The target that generators write for; `with` makes it the active one."""

    def __init__(
        self, target: Target, autoscheduler_params: AutoschedulerParams | None = None
    ) -> None:
        self._target = instance("GeneratorContext", target, Target)
        self._autoscheduler = autoscheduler_params or AutoschedulerParams()
        self._tokens: list[Token[GeneratorContext | None]] = []

    def target(self) -> Target:
        return self._target

    def autoscheduler_params(self) -> AutoschedulerParams:
        return self._autoscheduler

    def __enter__(self) -> GeneratorContext:
        self._tokens.append(_active.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _active.reset(self._tokens.pop())


_active: ContextVar[GeneratorContext | None] = ContextVar("generator_context", default=None)


def active_generator_context() -> GeneratorContext:
    """The context of the innermost `with`; raises `HalideError` outside of all."""
    context = _active.get()
    if context is None:
        fail("There is no active GeneratorContext")
    return context


class ArgInfo:
    """An input or output of a generator, as tools see it."""

    def __init__(
        self,
        name: str = "",
        dir: ArgInfoDirection = ArgInfoDirection.Input,
        kind: ArgInfoKind = ArgInfoKind.Scalar,
        types: list[Type] | None = None,
        dimensions: int = 0,
    ) -> None:
        self.name, self.dir, self.kind = name, dir, kind
        self.types, self.dimensions = list(types or []), dimensions


class Generator:
    """The base of all generators; the decorator `generator` adds it."""

    registered_name = ""
    alias_params: dict[str, Any] = {}  # noqa: RUF012 - replaced, never changed

    def __init__(self, generator_params: dict[str, Any] | None = None) -> None:
        if type(self).generate is Generator.generate:
            raise TypeError(
                f"Can't instantiate abstract class {type(self).__name__} with abstract method "
                "generate"
            )
        context = active_generator_context()
        self._context = context
        self._requirements: list[tuple[Any, tuple[Any, ...]]] = []
        self._declared: dict[str, DeclaredPort] = {}
        self._required: dict[str, Required] = {}
        self._fixed: set[str] = set()
        self._configuring = False
        self._io_done = False
        self._values = {n: p for n, p in _members(type(self)) if isinstance(p, GeneratorParam)}
        self._unhandled: dict[str, Any] = {}
        for name in self._values:
            check_name(name)
        given = {} if generator_params is None else generator_params
        if not isinstance(given, dict):
            fail("generator_params must be a dict")
        for params in (self.alias_params, given):
            for name, value in params.items():
                self._set_param(name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        fixed = self.__dict__.get("_fixed", ())
        if name in fixed:
            raise AttributeError(f"Invalid write to field '{name}'")
        super().__setattr__(name, value)

    def context(self) -> GeneratorContext:
        return GeneratorContext(self._context.target(), self._context.autoscheduler_params())

    def target(self) -> Target:
        return self._context.target()

    def autoscheduler(self) -> AutoschedulerParams:
        return self._context.autoscheduler_params()

    def using_autoscheduler(self) -> bool:
        return bool(self.autoscheduler().name)

    def natural_vector_size(self, type: Type) -> int:
        return self.target().natural_vector_size(type)

    def add_requirement(self, condition: Any, *parts: Any) -> None:
        """As `Pipeline.add_requirement`."""
        self._requirements.append((condition, parts))

    def allow_out_of_order_inputs_and_outputs(self) -> bool:
        return False

    def configure(self) -> None:
        """May be overridden: adds inputs and outputs that depend on parameters."""

    def generate(self) -> None:
        """To be overridden: defines and schedules the outputs."""
        raise TypeError(f"Generator {self.registered_name} has no method generate()")

    def add_input(self, name: str, io: Any) -> None:
        if not isinstance(io, (InputBuffer, InputScalar)):
            fail(f"Cannot call add_input() with an object of type '{type(io)}'.")
        self._add("add_input", name, io)

    def add_output(self, name: str, io: Any) -> None:
        if not isinstance(io, OutputBuffer):
            fail(f"Cannot call add_output() with an object of type '{type(io)}'.")
        self._add("add_output", name, io)

    def _add(self, what: str, name: str, io: DeclaredPort) -> None:
        if not self._configuring:
            fail(f"Can only call {what}() from the configure() method.")
        if hasattr(self, name):
            fail(f"Cannot call {what}('{name}') because the class already has a member of it.")
        self._declare(name, io)

    def _set_param(self, name: str, value: Any) -> None:
        if name == "target":
            fail("The GeneratorParam named target cannot be set by set_generatorparam_value.")
        if name == "autoscheduler" or name.startswith("autoscheduler."):
            fail(
                f"The GeneratorParam {name} belongs to the context: "
                "GeneratorContext(target, AutoschedulerParams(name, settings))."
            )
        if name in self._values:
            self._values[name] = GeneratorParam(self._values[name].parsed(name, value))
        else:
            self._unhandled[name] = value

    def _declare(self, name: str, io: DeclaredPort) -> None:
        if name in self._declared or name in self._values:
            fail(f"The name '{name}' is used more than once in Generator {self.registered_name}.")
        types, dimensions = io.types, io.dimensions
        for suffix, unknown in (("type", not types), ("dim", dimensions == -1)):
            key = f"{name}.{suffix}"
            if key not in self._unhandled:
                continue
            value = self._unhandled.pop(key)
            if not unknown:
                fail(
                    f"Cannot set the GeneratorParam {key} for {self.registered_name} because the "
                    "value is explicitly specified in the Python source."
                )
            if suffix == "type":
                types = parsed_types(value)
            else:
                dimensions = int(value)
        self._required[name] = Required(name, types, dimensions)
        self._declared[name] = io

    def _declare_all(self) -> None:
        """Fixes the parameters, and lists the inputs and outputs."""
        if self._io_done:
            return
        self._io_done = True
        for name, param in self._values.items():
            setattr(self, name, param.value)
        seen_output = False
        for name, io in _members(type(self)):
            if not isinstance(io, DeclaredPort):
                continue
            seen_output |= isinstance(io, OutputBuffer)
            late = seen_output and not isinstance(io, OutputBuffer)
            if late and not self.allow_out_of_order_inputs_and_outputs():
                warnings.warn(
                    f"Generator {self.registered_name} declares the input {name} after an output; "
                    "compiled functions take all inputs before all outputs.",
                    stacklevel=3,
                )
            self._declare(name, io)
        self._configuring = True
        self.configure()
        self._configuring = False
        if self._unhandled:
            fail(
                f"Generator {self.registered_name} has no GeneratorParam(s) named: "
                f"{list(self._unhandled)}"
            )
        if not self._names(OutputBuffer):
            fail(f"Generator '{self.registered_name}' must declare at least one output.")

    def _names(self, *kinds: type[DeclaredPort]) -> list[str]:
        return [name for name, io in self._declared.items() if isinstance(io, kinds)]

    def arginfos(self) -> list[ArgInfo]:
        """The inputs, then the outputs."""
        self._declare_all()
        order = [*self._names(InputBuffer, InputScalar), *self._names(OutputBuffer)]
        return [
            ArgInfo(n, self._declared[n].direction, self._declared[n].kind,
                    self._required[n].types, self._required[n].dimensions)
            for n in order
        ]  # fmt: skip

    def build_pipeline(self, bound: dict[str, Any] | None = None) -> Pipeline:
        """Runs `generate`, with new parameters for the inputs that `bound` does not give."""
        self._declare_all()
        for name, io in self._declared.items():
            given = (bound or {}).get(name)
            setattr(self, name, io.made(self._required[name]) if given is None else given)
        self._fixed = {*self._declared, *self._values}
        with self.context():
            self.generate()
        outputs = [self._output(name) for name in self._names(OutputBuffer)]
        pipeline = Pipeline(outputs)
        for condition, parts in self._requirements:
            pipeline.add_requirement(condition, *parts)
        return pipeline

    def _output(self, name: str) -> Func:
        io, required = self._declared[name], self._required[name]
        assert isinstance(io, OutputBuffer)
        func = io.replaced(getattr(self, name), required)
        if not func.defined():
            fail(f"Output '{name}' was not defined.")
        required.check(func.types(), func.dimensions())
        return func

    def inputs(self) -> list[Any]:
        """The `ImageParam`s and `Param`s of a generator that was built."""
        return [getattr(self, name) for name in self._names(InputBuffer, InputScalar)]

    def compile_to_callable(self) -> Callable:
        """The pipeline as a function on its inputs and outputs, in this process."""
        pipeline = self.build_pipeline()
        self.autoschedule(pipeline)
        return pipeline.compile_to_callable(self.inputs(), self.target())

    def autoschedule(self, pipeline: Pipeline) -> str:
        """Schedules what was built as the context says; the directives, as text."""
        if not self.using_autoscheduler():
            return ""
        return pipeline.apply_autoscheduler(self.target(), self.autoscheduler()).schedule_source

    @classmethod
    def call(cls, *args: Any, **kwargs: Any) -> Any:
        """Builds the pipeline on the given inputs; its output, or a tuple of its outputs.

        `generator_params` is a dict of parameters by name.
        """
        params = kwargs.pop("generator_params", {})
        made = cls(generator_params=params)
        made._declare_all()
        names = made._names(InputBuffer, InputScalar)
        if len(args) > len(names):
            fail(
                f"Generator '{cls.registered_name}' allows at most {len(names)} positional args, "
                f"but {len(args)} were specified."
            )
        given = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name not in names:
                fail(f"Unknown input '{name}' specified via keyword argument.")
            if name in given:
                fail(f"Input {name} specified multiple times.")
            given[name] = value
        if len(given) != len(names):
            fail(
                f"Generator '{cls.registered_name}' requires {len(names)} args, but {len(given)} "
                "were specified."
            )
        bound = {n: made._declared[n].bound(v, made._required[n]) for n, v in given.items()}
        outputs = made.build_pipeline(bound).outputs()
        return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """What a class declares, bases first, in the order of the text."""
    for base in kind.__bases__:
        yield from _members(base)
    yield from vars(kind).items()


_registered: dict[str, type[Generator]] = {}


def _check_unused(name: str) -> None:
    # An interactive session defines a class again and again while it is written.
    if name in _registered and not hasattr(sys, "ps1"):
        fail(f"The Generator name {name} is already in use.")


def generator(name: str = "") -> AnyCallable[[Any], Any]:
    """A decorator that makes a class a `Generator` and registers it under `name`."""

    def register(kind: Any) -> Any:
        if not inspect.isclass(kind):
            fail("@generator can only be used on classes.")
        place = "" if kind.__module__ in ("__main__", "builtins") else kind.__module__ + "."
        known = name or place + kind.__qualname__
        _check_unused(known)
        bases = (kind,) if issubclass(kind, Generator) else (kind, Generator)
        made = type(kind.__name__, bases, {"registered_name": known, "__module__": kind.__module__})
        _registered[known] = made
        return made

    return register


def alias(**aliases: Any) -> AnyCallable[[Any], Any]:
    """A decorator that registers a generator again, with other parameters, under other names."""

    def register(kind: Any) -> Any:
        for name, params in aliases.items():
            check_name(name)
            if not getattr(kind, "registered_name", ""):
                fail("@alias can only be used in conjunction with @generator.")
            _check_unused(name)
            if not isinstance(params, dict):
                fail(f"The Generator alias {name} specifies something other than a dict.")
            _registered[name] = type(
                name, (kind,), {"registered_name": name, "alias_params": params}
            )
        return kind

    return register


def registered_generators() -> dict[str, type[Generator]]:
    """The generators of this process by name."""
    return dict(_registered)


def create_generator(name: str, params: dict[str, Any] | None = None) -> Generator:
    """An instance of the generator `name`, in the active context."""
    if name not in _registered:
        fail(f"There is no Generator with the name '{name}' currently available.")
    return _registered[name](generator_params=params or {})


def create_callable_from_generator(
    context: GeneratorContext | Target, name: str, generator_params: dict[str, Any] | None = None
) -> Callable:
    """The generator's pipeline as a function on its inputs and outputs, in this process."""
    where = GeneratorContext(context) if isinstance(context, Target) else context
    with instance("create_callable_from_generator", where, GeneratorContext):
        return create_generator(name, generator_params).compile_to_callable()
