"""What a CI system sees of a run: SARIF, GitHub's annotations, JUnit; and `ReportedCase`, their
input."""

from .case import Outcome, ReportedCase, case_of
from .write import FORMS, write_cases

__all__ = ["FORMS", "ReportedCase", "Outcome", "case_of", "write_cases"]
