"""`in_` and `clone_in`: consumers read the stage that stands between them and another.

g(x) = f(x) + 1     f.in_(g)     ->     f_in_g(x) = f(x);  g(x) = f_in_g(x) + 1
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Call, Expr, transform
from ..lang import Definition, Function, InputImageParam


def definitions_of(function: Function) -> tuple[Definition, ...]:
    """The definitions of `function`, reading wrappers in the place of what they wrap."""
    return tuple(_rewired(d, function) for d in function.definitions)


def read_instead(
    source: Function | InputImageParam, consumer: Function
) -> Function | InputImageParam:
    """What `consumer` reads where it names `source`: its own wrapper, or that for all others.

    A wrapper reads what it wraps. Wrappers of wrappers are followed.
    """
    seen: set[Function | InputImageParam] = {source}
    while consumer not in source.wrappers.values() and consumer is not source:
        found = source.wrappers.get(consumer.name) or source.wrappers.get("")
        if found is None or found in seen or found is consumer:
            break
        source = found
        seen.add(source)
    return source


def _rewired(definition: Definition, consumer: Function) -> Definition:
    names: dict[str, str] = {}
    images: dict[str, str] = {}
    sources = set(definition.sources)
    for source in definition.sources:
        if not isinstance(source, (Function, InputImageParam)):
            continue
        instead = read_instead(source, consumer)
        if not isinstance(instead, Function) or instead is source:
            continue
        if isinstance(source, InputImageParam):
            images[source.name()] = instead.value_name(0)
            sources.add(instead)
            continue
        sources.discard(source)
        sources.add(instead)
        for i in range(len(source.types)):
            names[source.value_name(i)] = instead.value_name(i)
    if not names and not images:
        return definition

    def renamed(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "func" and node.name in names:
            return Call(names[node.name], node.args, node.type, "func")
        if isinstance(node, Call) and node.kind == "image" and node.name in images:
            return Call(images[node.name], node.args, node.type, "func")
        return node

    def visit(e: Expr) -> Expr:
        return transform(e, renamed)

    domain = definition.domain
    if domain is not None and domain.predicates:
        rewired = type(domain)((), ())
        rewired.names, rewired.bounds, rewired.sources = domain.names, domain.bounds, domain.sources
        rewired.predicates = [visit(p) for p in domain.predicates]
        sources.discard(domain)
        sources.add(rewired)
        domain = rewired
    return replace(
        definition,
        args=tuple(map(visit, definition.args)),
        values=tuple(map(visit, definition.values)),
        sources=frozenset(sources),
        domain=domain,
    )
