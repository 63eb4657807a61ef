"""A headless Chromium, driven over its DevTools pipe with the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 120.0
"""Seconds that any single answer may take: the machine may be busy with other tests."""
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--mute-audio", "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)  # fmt: skip
_START = """
import fcntl, os, sys
wanted = [fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]]
os.dup2(wanted[0], 3)
os.dup2(wanted[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads commands from descriptor 3 and answers on 4."""
_KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), " ": (32, " ")}


class Browser:
    """One process; a context manager. `page()` opens a tab."""

    def __init__(self) -> None:
        if CHROMIUM is None:
            raise FileNotFoundError("chromium")
        self._profile = tempfile.mkdtemp(prefix="lift-report-")
        from_us, self._out = os.pipe()
        self._in, from_it = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(from_us), str(from_it), CHROMIUM, *_FLAGS,
             f"--user-data-dir={self._profile}", "about:blank"],
            pass_fds=(from_us, from_it),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(from_us)
        os.close(from_it)
        self._rest = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process and removes its profile."""
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self._profile, ignore_errors=True)

    def page(self, **options: Any) -> Page:
        """A new tab; the options are those of `Page`."""
        return Page(self, **options)

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """What the browser answers. Raises `RuntimeError` with its message where it refuses."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._next(until)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """The parameters of the next such event of a session, also of one that already came."""
        until = time.monotonic() + PATIENCE
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    self.events.remove(event)
                    params: dict[str, Any] = event["params"]
                    return params
            self.events.append(self._next(until))

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError(f"chromium said nothing for {PATIENCE:.0f} s")
            some = os.read(self._in, 1 << 20)
            if not some:
                raise RuntimeError(f"chromium ended: {self._process.wait()}")
            self._rest += some
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message


class Page:
    """A tab with a size, a colour scheme, and scripts or none."""

    def __init__(
        self,
        browser: Browser,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        scripts: bool = True,
    ) -> None:
        self.browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        attached = browser.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.send("Emulation.setEmulatedMedia", features=[scheme, still])
        if not scripts:
            self.send("Emulation.setScriptExecutionDisabled", value=True)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.send(method, self.session, **params)

    def close(self) -> None:
        self.browser.send("Target.closeTarget", targetId=self._target)

    def resize(self, width: int, height: int) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def open(self, path: Path, fragment: str = "") -> float:
        """Loads a file; the seconds until everything is loaded and a frame was drawn."""
        url = path.resolve().as_uri() + fragment
        began = time.monotonic()
        self.send("Page.navigate", url=url)
        self.browser.wait_for("Page.loadEventFired", self.session)
        self.send("Page.captureScreenshot", format="jpeg", quality=1)
        return time.monotonic() - began

    def run(self, script: str) -> Any:
        """The value of an expression, as plain data; a promise is waited for."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def press(self, *keys: str) -> None:
        """Presses keys one after the other: characters, or `Enter`, `Escape`, `Tab`."""
        for key in keys:
            code, text = _KEYS[key] if key in _KEYS else (ord(key.upper()), key)
            made = {"key": key, "windowsVirtualKeyCode": code, "text": text}
            self.send("Input.dispatchKeyEvent", type="keyDown", **made)
            self.send("Input.dispatchKeyEvent", type="keyUp", **made)

    def type(self, text: str) -> None:
        """Enters a text where the focus is, as one paste."""
        self.send("Input.insertText", text=text)

    def screenshot(self, path: Path, whole: bool = False, **more: Any) -> None:
        """A picture of what is seen, or of the whole page."""
        made = self.send("Page.captureScreenshot", captureBeyondViewport=whole, **more)
        path.write_bytes(base64.b64decode(made["data"]))

    def pdf(self) -> bytes:
        """The page as printed on A4."""
        made = self.send("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)
        return base64.b64decode(made["data"])

    def problems(self) -> list[str]:
        """What the console said, exceptions, and refusals by the policy, of this page so far."""
        self.run("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            params = event.get("params", {})
            match event.get("method"):
                case "Runtime.consoleAPICalled":
                    found.append(str(params["args"]))
                case "Runtime.exceptionThrown":
                    found.append(str(params["exceptionDetails"]))
                case "Log.entryAdded":
                    found.append(params["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """Every address that this page asked for."""
        self.run("0")
        return [
            event["params"]["request"]["url"]
            for event in self.browser.events
            if event.get("method") == "Network.requestWillBeSent"
            and event.get("sessionId") == self.session
        ]
