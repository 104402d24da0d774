"""Browsers besides Chromium, without a window, each by its own protocol: WebKit's MiniBrowser by WebDriver, Firefox by
WebDriver BiDi. Just enough of them to play, and to read the errors of a page."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, TypeVar

from deadline import DEADLINE_S
from playwright.sync_api import ViewportSize
from ports import free_port
from websockets.sync.client import ClientConnection, connect

from page.browser import NoBrowser

LOOK_S = 0.05
UNTIL = """new Promise((resolve) => {
    const look = () => (HOLDS ? resolve(true) : late ? resolve(false) : setTimeout(look, 20));
    let late = false;
    setTimeout(() => { late = true; }, LATE_MS);
    look();
})"""
MIDDLE = """new Promise((resolve) => {
    const element = [...document.querySelectorAll(HOOK)].find((each) => each.checkVisibility());
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    let before = "";
    const look = () => {
        const box = element.getBoundingClientRect();
        const middle = [Math.round((box.left + box.right) / 2), Math.round((box.top + box.bottom) / 2)];
        if (String(middle) === before) return resolve(middle);
        before = String(middle);
        return requestAnimationFrame(look);
    };
    look();
})"""
"""The point to click, once the element stays where it is: a moving element is elsewhere when the click comes."""
SEEN = "[...document.querySelectorAll(HOOK)].some((each) => each.checkVisibility())"

HEARS = """(() => {
    window.complaints = [];
    const complain = (...all) => complaints.push(all.join(" "));
    addEventListener("error", ({ message }) => complain(message));
    addEventListener("unhandledrejection", ({ reason }) => complain(reason));
    Object.assign(console, { warn: complain, error: complain });
})()"""

T = TypeVar("T")


class OtherBrowser(ABC):
    """A page in a browser; `complaints` are the errors that it reported."""

    @property
    @abstractmethod
    def complaints(self) -> list[str]: ...

    @abstractmethod
    def opens(self, address: str, size: ViewportSize) -> None:
        """Open a page in a window of this size."""

    @abstractmethod
    def runs(self, expression: str) -> Any:
        """Run a JavaScript expression and return its value."""

    @abstractmethod
    def _acts(self, actions: list[Mapping[str, Any]]) -> None: ...

    def until(self, holds: str) -> None:
        """Wait until a JavaScript expression holds."""
        held = self.runs(UNTIL.replace("HOLDS", holds).replace("LATE_MS", f"{DEADLINE_S * 1000}"))
        assert held, f"not seen: {holds}"

    def sees(self, hook: str) -> None:
        """Wait until something is to be seen."""
        self.until(SEEN.replace("HOOK", json.dumps(hook)))

    def clicks(self, hook: str) -> None:
        """Click there once it is to be seen."""
        self.sees(hook)
        x, y = self.runs(MIDDLE.replace("HOOK", json.dumps(hook)))
        pointer = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._acts([{"type": "pointer", "id": "mouse", "actions": pointer}])


class WebKit(OtherBrowser):
    """By the WebDriver on `port`, which starts the `binary`."""

    def __init__(self, port: int, binary: Path) -> None:
        self._port = port
        settings = ["--automation", "--javascript-can-open-windows-automatically=true"]
        # else a script may take 30 s: what is waited for would have half of its time
        lasts = {"script": round(2000 * DEADLINE_S)}
        options = {"webkitgtk:browserOptions": {"binary": str(binary), "args": settings}, "timeouts": lasts}
        self._session = ""
        self._session = f"/{self._ask('', capabilities={'alwaysMatch': options})['sessionId']}"

    @property
    def complaints(self) -> list[str]:
        return self.runs("complaints")

    def opens(self, address: str, size: ViewportSize) -> None:
        self._ask("/url", url=f"{address}about.json")
        (first,) = self._ask("/window/handles")
        # only a window without bars can be as narrow as a phone
        features = f"popup,width={size['width']},height={size['height']}"
        self.runs(f"open({json.dumps(address)}, '', {json.dumps(features)}) !== null")
        windows = until_there(lambda: set(self._ask("/window/handles")) - {first} or None)
        self._ask("/window", handle=windows.pop())
        self.until("location.href !== 'about:blank' && document.readyState === 'complete'")
        # this protocol has no console: what went wrong before is only seen by what isn't there
        self.runs(HEARS)

    def runs(self, expression: str) -> Any:
        script = f"const done = arguments[0]; Promise.resolve({expression}).then(done);"
        return self._ask("/execute/async", script=script, args=[])

    def _acts(self, actions: list[Mapping[str, Any]]) -> None:
        self._ask("/actions", actions=actions)

    def ends(self) -> None:
        """End the browser."""
        self._ask("", method="DELETE")

    def _ask(self, path: str, *, method: str = "", **message: Any) -> Any:
        method = method or ("POST" if message else "GET")
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=2 * DEADLINE_S)) as connection:
            connection.request(method, f"/session{self._session}{path}", json.dumps(message) if message else None)
            answer = json.loads(connection.getresponse().read())["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer


class Firefox(OtherBrowser):
    """By a connection to its remote agent."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._asked = 0
        self._said: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    @property
    def complaints(self) -> list[str]:
        return self._said

    def opens(self, address: str, size: ViewportSize) -> None:
        self._ask("browsingContext.setViewport", context=self._context, viewport=dict(size))
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def runs(self, expression: str) -> Any:
        as_json = f"Promise.resolve({expression}).then(JSON.stringify)"
        target = {"context": self._context}
        answer = self._ask("script.evaluate", expression=as_json, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def _acts(self, actions: list[Mapping[str, Any]]) -> None:
        self._ask("input.performActions", context=self._context, actions=actions)

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._connection.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        late = time.monotonic() + DEADLINE_S
        while (message := json.loads(self._connection.recv(DEADLINE_S))).get("id") != self._asked:
            assert time.monotonic() < late, f"no answer to {method}"
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("warn", "error"):
                self._said.append(message["params"]["text"])
        assert message["type"] == "success", message
        return message["result"]


def mini_browser() -> Path | None:
    """The path of the MiniBrowser, which is in no PATH, since nobody starts it by hand."""
    return max(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), default=None)


@contextmanager
def a_webkit(folder: Path) -> Iterator[WebKit]:
    """WebKit's MiniBrowser on a screen that nobody sees; `NoBrowser` where there is none."""
    driver, screen, browser = shutil.which("WebKitWebDriver"), shutil.which("Xvfb"), mini_browser()
    if driver is None or screen is None or browser is None:
        raise NoBrowser("there is no WebKit: scripts/setup-browser --others installs one")
    showing = [screen, "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    port = free_port()
    with running(showing, folder / "screen") as said:
        display = until_there(lambda: re.search(r"^\d+$", said(), re.MULTILINE))[0]
        with running([driver, f"--port={port}"], folder / "webkit", DISPLAY=f":{display}"):
            until_there(lambda: answers(port))
            webkit = WebKit(port, browser)
            try:
                yield webkit
            finally:
                webkit.ends()


@contextmanager
def a_firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox without a window; `NoBrowser` where there is none."""
    file = shutil.which("firefox-esr") or shutil.which("firefox")
    if file is None:
        raise NoBrowser("there is no Firefox: scripts/setup-browser --others installs one")
    command = [file, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with running(command, folder / "firefox") as said:
        place = until_there(lambda: re.search(r"WebDriver BiDi listening on (\S+)", said()))[1]
        with connect(f"{place}/session", max_size=None) as connection:
            yield Firefox(connection)


@contextmanager
def running(command: Sequence[str], home: Path, **environment: str) -> Iterator[Callable[[], str]]:
    """A program while it runs, with a folder of its own to keep things in; the returned function gives its output."""
    home.mkdir()
    saying = home / "said.txt"
    around = {**os.environ, "HOME": str(home), **environment}
    with saying.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=around)
    try:
        yield lambda: saying.read_text(encoding="utf-8", errors="replace")
    finally:
        process.terminate()
        process.wait(DEADLINE_S)


def until_there(look: Callable[[], T | None]) -> T:
    """Look until there is something, and give that."""
    late = time.monotonic() + DEADLINE_S
    while (found := look()) is None:
        assert time.monotonic() < late, "it never came"
        time.sleep(LOOK_S)
    return found


def answers(port: int) -> bool | None:
    """Return whether somebody answers at the port."""
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        return True
    return None
