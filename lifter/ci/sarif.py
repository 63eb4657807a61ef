"""SARIF 2.1.0: what code-scanning pages and editors read (OASIS standard, errata 01)."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from ..show.json_report import own_version
from ..show.visible import visible
from .findings import ReportedFinding, Results, findings_of
from .places import Place, Places, file_uri
from .rules import home_page, rules

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BASE = "%SRCROOT%"
_STATUSES = {
    0: "everything is proved",
    1: "something is not equal or could not be lifted",
    2: "bad usage or input",
    3: "something could be neither proved nor refuted",
}


def to_sarif(results: Results) -> str:
    """The document: a result for all that is wrong or doubtful; nothing for what is proved.

    What has no place in a file is a notification of the invocation: a page couldn't show it.
    """
    places = Places(results.root)
    return _Log(results, places).text()


class _Log:
    """One run's log while it is written."""

    def __init__(self, results: Results, places: Places) -> None:
        self._results = results
        self._places = places
        self._rules = rules()
        self._rule_numbers = {rule["id"]: number for number, rule in enumerate(self._rules)}
        self._artifacts: dict[str, int] = {}
        self._seen: Counter[str] = Counter()

    def text(self) -> str:
        findings = findings_of(self._results, self._places)
        shown = [self._result(f, f.place) for f in findings if f.place is not None]
        about_run = [self._notification(f) for f in findings if f.place is None]
        driver = {
            "name": "lift",
            "version": own_version(),
            "semanticVersion": own_version(),
            "rules": self._rules,
        }
        home = home_page()
        if home is not None:
            driver["informationUri"] = home
        run = {
            "tool": {"driver": driver},
            "automationDetails": {"id": self._results.command.replace(" ", "-") + "/"},
            "invocations": [self._invocation(about_run)],
            "originalUriBaseIds": {_BASE: {"uri": file_uri(f"{self._places.root}/")}},
            "artifacts": [
                {"location": self._location(file), "roles": ["analysisTarget"]}
                for file in self._artifacts
            ],
            "columnKind": "unicodeCodePoints",
            "results": shown,
            "properties": {"verdicts": Counter(case.verdict for case in self._results.cases)},
        }
        document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def _invocation(self, notifications: list[dict[str, Any]]) -> dict[str, Any]:
        status, began = self._results.status, self._results.began
        return {
            "executionSuccessful": status in (0, 1, 3),
            "exitCode": status,
            "exitCodeDescription": _STATUSES.get(status, "stopped"),
            "startTimeUtc": _time(began),
            "endTimeUtc": _time(began + timedelta(seconds=self._results.seconds)),
            "workingDirectory": {"uri": file_uri(os.getcwd().rstrip("/") + "/")},
            "toolExecutionNotifications": notifications,
        }

    def _notification(self, finding: ReportedFinding) -> dict[str, Any]:
        return {
            "level": finding.level,
            "message": {"text": _message(finding)},
            "associatedRule": self._rule(finding.code),
        }

    def _result(self, finding: ReportedFinding, place: Place) -> dict[str, Any]:
        rule = self._rule(finding.code)
        location: dict[str, Any] = {
            "physicalLocation": {
                "artifactLocation": {
                    **self._location(place.file),
                    "index": self._artifacts.setdefault(place.file, len(self._artifacts)),
                },
                "region": _region(place),
            }
        }
        if finding.function:
            location["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
        return {
            "ruleId": rule["id"],
            "ruleIndex": rule["index"],
            "level": finding.level,
            "message": {"text": _message(finding)},
            "locations": [location],
            "partialFingerprints": {"liftFunction/v1": self._fingerprint(finding, place)},
            **({"properties": {"verdict": finding.verdict}} if finding.verdict else {}),
        }

    def _rule(self, code: str) -> dict[str, Any]:
        if code not in self._rule_numbers:
            raise ValueError(f"no rule {code!r}: every code stands in the closed list")
        return {"id": code, "index": self._rule_numbers[code]}

    def _location(self, file: str) -> dict[str, Any]:
        uri = self._places.uri(file)
        return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _BASE}

    def _fingerprint(self, finding: ReportedFinding, place: Place) -> str:
        """The same wherever the line moves to, or the file; equal findings are counted.

        Not GitHub's own `primaryLocationLineHash`: its upload computes that, and warns of others.
        """
        parts = (finding.code, finding.function, "".join(place.text.split()))
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"


def _message(finding: ReportedFinding) -> str:
    """The message, then the details.

    SARIF reads `[text](target)` as a link, which no text of a stranger's may become.
    """
    head = finding.message
    if finding.function and not head.startswith(f"{finding.function}:"):
        head = f"{finding.function}: {head}"
    text = f"{head}\n\n{finding.detail}" if finding.detail else head
    return visible(text).replace("](", "] (")


def _region(place: Place) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.line,
        "endColumn": place.end_column,
    }
    if place.text:
        region["snippet"] = {"text": visible(place.text)}
    return region


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
