"""All forms of C++ that are understood: each module registers what it translates in `dispatch`."""

from __future__ import annotations

from . import (  # noqa: F401
    addresses,
    allocation,
    assignments,
    branches,
    calls,
    casts,
    conditionals,
    conditions,
    construction,
    declarations,
    elements,
    leaving,
    literals,
    loops,
    names,
    operators,
    pointers,
    sorts,
    statement_expressions,
    statements,
    structured_bindings,
    temporaries,
    vector_memory,
    vector_values,
)
