"""What a CI system sees of a run: SARIF, GitHub's annotations, JUnit; and `Case`, their input."""

from .case import Case, Outcome, case_of
from .write import FORMS, write_cases

__all__ = ["FORMS", "Case", "Outcome", "case_of", "write_cases"]
