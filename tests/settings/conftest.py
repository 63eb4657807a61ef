"""Configuration stands in a small repository, as reports of CI do."""

from __future__ import annotations

from tests.ci.conftest import lift, repository

__all__ = ["lift", "repository"]
