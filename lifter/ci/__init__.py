"""What a CI system sees of a run: SARIF, GitHub's annotations, JUnit; and `Case`, their input."""

from .case import Case, Outcome, case_of

__all__ = ["Case", "Outcome", "case_of"]
