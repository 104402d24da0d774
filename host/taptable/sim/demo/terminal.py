"""The demo in a terminal: draws the screen when it has changed, and gives keys to the keyboard by their names. Runs on
the loop of the table, whatever its pace."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from taptable.sim.demo.keyboard import Keyboard
from taptable.sim.demo.layout import screen
from taptable.sim.demo.lines import Line
from taptable.sim.demo.views import View
from taptable.words import Words

LOOKS_HZ = 15
"""How often a second outside it is looked whether something has changed."""
ESCAPE_S = 0.1
"""Seconds outside after which an escape is a key of its own and not the beginning of another."""

STYLE = Style.from_dict(
    {
        "title": "reverse bold",
        "frame": "ansibrightblack",
        "glass": "ansibrightcyan",
        "faint": "ansibrightblack",
        "seat": "bold",
        "you": "bold underline",
        "turn": "ansibrightgreen bold",
        "lit": "ansibrightyellow bold",
        "good": "ansigreen",
        "bad": "ansired",
        "warning": "ansiyellow",
        "loud": "ansibrightmagenta bold",
        "sound": "ansibrightyellow",
        "key": "bold",
        "chosen": "reverse bold",
    }
)

KEY_NAMES = {
    " ": "space",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
    Keys.Backspace: "escape",
    Keys.Tab: "tab",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Up: "up",
    Keys.Down: "down",
}
OF_SIGNALS = 128
"""What a shell adds to the number of the signal that ended something."""


class Terminal:
    """The screen of `look`, and the keys for `keyboard`; `input` and `output` are the terminal's own unless given."""

    def __init__(
        self,
        look: Callable[[], View],
        keyboard: Keyboard,
        words: Words,
        *,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._look = look
        self._keyboard = keyboard
        self._words = words
        self._lines: list[Line] = []
        self._size = (0, 0)
        self._app: Application[int] = Application(
            Layout(Window(FormattedTextControl(self._text), always_hide_cursor=True)),
            key_bindings=self._bindings(),
            style=STYLE,
            full_screen=True,
            terminal_size_polling_interval=None,
            input=input,
            output=output,
        )

    async def run(self) -> int:
        """Until it is left: 0, or what a shell expects after a signal. Raises what went wrong on the loop."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._stop_for)
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._leave, OF_SIGNALS + number)
        looking = asyncio.create_task(self._look_again_and_again())
        looking.add_done_callback(self._see_why)
        try:
            return await self._app.run_async(set_exception_handler=False)
        except EOFError:
            return 0
        finally:
            looking.cancel()
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.remove_signal_handler(number)
            loop.set_exception_handler(None)

    def shown(self) -> list[Line]:
        """What stands on the screen."""
        return self._lines

    async def _look_again_and_again(self) -> None:
        while True:
            self._draw()
            # these are seconds of the table
            self._app.ttimeoutlen = ESCAPE_S * self._keyboard.speed
            await asyncio.sleep(self._keyboard.speed / LOOKS_HZ)

    def _draw(self) -> None:
        """Draw the screen if it would be another."""
        size = self._app.output.get_size()
        lines = screen(self._look(), size.columns, size.rows, self._words)
        if lines != self._lines:
            self._lines, self._size = lines, (size.columns, size.rows)
            self._app.invalidate()

    def _text(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        if self._size != (size.columns, size.rows):
            self._draw()
        text: StyleAndTextTuples = []
        for number, line in enumerate(self._lines):
            text += [("", "\n"), *line] if number else line
        return text

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add(Keys.ControlC)
        @bindings.add(Keys.SIGINT)
        def _(event: KeyPressEvent) -> None:
            del event
            self._leave(OF_SIGNALS + signal.SIGINT)

        @bindings.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            self._keyboard.key(KEY_NAMES.get(key, key))
            if self._keyboard.leaving:
                self._leave(0)
            self._draw()

        return bindings

    def _leave(self, status: int) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=status)

    def _see_why(self, looking: asyncio.Task[None]) -> None:
        if not looking.cancelled() and looking.exception() is not None:
            self._stop_for(looking.get_loop(), {"exception": looking.exception()})

    def _stop_for(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something broke: the terminal is given back first, then it is shown."""
        error = context.get("exception") or RuntimeError(context.get("message"))
        if self._app.is_running and not self._app.is_done:
            self._app.exit(exception=error)
        else:
            loop.default_exception_handler(context)
