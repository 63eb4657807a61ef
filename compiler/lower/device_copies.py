"""Copies between the host's memory and the device's, where launches and loops use one buffer.

    launch f.kernel0()                    copy_to_device in
    for x: out[x] = f[x] + 1       ->     malloc f
                                          launch f.kernel0()
                                          device_changed f
                                          copy_to_host f
                                          for x: out[x] = f[x] + 1
                                          host_changed out

What is newest where is known when the code runs: a copy of what is new already costs a look at two
bits. So a copy stands at the outermost place inside of which one side alone uses the buffer, which
is outside of all loops but those that launch kernels themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from ..ir.uses import Uses, loaded
from ..lang import HalideError


def with_device_copies(
    stmt: s.Stmt,
    kernels: Sequence[s.Kernel],
    arguments: Sequence[s.Argument],
    defined: Collection[str] = (),
) -> s.Stmt:
    """`stmt`, which launches `kernels`, with the copies that it and these need.

    `arguments` are buffers that the caller has on either side. Of those that are `defined` each
    element is stored to before it is read. Raises `HalideError` where threads of the processor
    launch, and use what they share on both sides.
    """
    if not kernels:
        return stmt
    by_name = {kernel.name: kernel for kernel in kernels}
    given = frozenset(a.name for a in arguments if a.is_buffer)
    host = Uses.of(stmt).all
    device = frozenset(p.name for kernel in kernels for p in kernel.parameters if p.is_memory)
    alone = frozenset(defined) - host
    return _Copies(by_name, given | (host & device), device, alone).placed(stmt)


class _Copies:
    def __init__(
        self,
        kernels: dict[str, s.Kernel],
        shared: frozenset[str],
        device: frozenset[str],
        defined: frozenset[str],
    ) -> None:
        """`shared` buffers have both memories, those in `device` are used by kernels, and
        `defined` ones by kernels alone, which store to an element before they read it."""
        self.kernels, self.shared, self.device = kernels, shared, device
        self.defined = defined

    def placed(self, stmt: s.Stmt) -> s.Stmt:
        """`stmt` with copies."""
        if isinstance(stmt, s.Launch):
            return self._launch(stmt)
        if not any(isinstance(x, s.Launch) for x in walk(stmt)):
            return self._on_host(stmt)
        match stmt:
            case s.Block(stmts):
                return block(*map(self.placed, self._parts(stmts)))
            case s.For(kind="parallel"):
                return self._parallel(stmt)
            case s.Allocate(buffer, type, size, body, _) if buffer in self.device:
                where: s.MemoryKind = "both" if buffer in self.shared else "device"
                made: s.Stmt = s.Allocate(buffer, type, size, self.placed(body), where)
            case _:
                made = rebuild(stmt, tuple(map(self.placed, children_of(stmt))), lambda e: e)
        needed = self.shared & loaded(expressions_of(stmt))
        return block(*_actions("copy_to_host", needed), made)

    def _parallel(self, loop: s.For) -> s.Stmt:
        """A loop whose threads launch: what they share is copied before, and has changed after."""
        own = {x.buffer for x in walk(loop.body) if isinstance(x, s.Allocate)}
        launches = [x for x in walk(loop.body) if isinstance(x, s.Launch)]
        memories = [p for x in launches for p in self.kernels[x.kernel].parameters if p.is_memory]
        uses, common = Uses.of(loop), self.shared - own
        on_host, on_device = common & uses.all, common & {p.name for p in memories}
        changed = {p.name for p in memories if p.is_written}
        both = sorted(on_host & on_device & (uses.written | changed))
        if both:
            raise HalideError(
                f"The loop over {loop.name} runs on threads of the processor, which launch "
                f"kernels. In it {' and '.join(both)} is used on both sides, which none of these "
                "threads can copy for the others. Compute it inside of that loop or all of it "
                "before, or make the loop serial."
            )
        made = on_device & changed & self.defined
        inside = _Copies(self.kernels, self.shared & own, self.device, self.defined)
        return block(
            *_actions("copy_to_host", on_host),
            *_actions("copy_to_device", on_device - made),
            *_actions("malloc", made),
            rebuild(loop, (inside.placed(loop.body),), lambda e: e),
            *_actions("host_changed", on_host & uses.written),
            *_actions("device_changed", on_device & changed),
        )

    def _parts(self, stmts: Sequence[s.Stmt]) -> Iterator[s.Stmt]:
        """The statements, those between two that launch as one."""
        together: list[s.Stmt] = []
        for stmt in stmts:
            if not any(isinstance(x, s.Launch) for x in walk(stmt)):
                together.append(stmt)
                continue
            if together:
                yield block(*together)
            together = []
            yield stmt
        if together:
            yield block(*together)

    def _on_host(self, stmt: s.Stmt) -> s.Stmt:
        uses = Uses.of(stmt)
        # What is stored to in part stays as it was elsewhere.
        before = _actions("copy_to_host", self.shared & uses.all)
        after = _actions("host_changed", self.shared & uses.written)
        return block(*before, stmt, *after)

    def _launch(self, stmt: s.Launch) -> s.Stmt:
        memories = [p for p in self.kernels[stmt.kernel].parameters if p.is_memory]
        both = [p for p in memories if p.name in self.shared]
        made = {p.name for p in both if p.name in self.defined and p.is_written}
        # Copies first: one buffer may be passed for what is read and for what is written.
        before = _actions("copy_to_device", {p.name for p in both} - made)
        before += _actions("malloc", made)
        after = _actions("device_changed", {p.name for p in both if p.is_written})
        return block(*before, stmt, *after)


def _actions(action: s.DeviceAction, buffers: Collection[str]) -> list[s.Stmt]:
    return [s.DeviceState(action, buffer) for buffer in sorted(buffers)]


__all__ = ["with_device_copies"]
