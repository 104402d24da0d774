"""How the table stands, for the supervisor: in the words of the table what it waits for, and what is missing or stuck.
Follows what happened like the cues do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from taptable.core.notices import Notice, PartLost
from taptable.edges.supervisor import Supervisor
from taptable.narration.now import now_of
from taptable.narration.standing import Standing, stand
from taptable.referee.session import Happening, Session
from taptable.words import Words

RETRY_S = 10.0
"""How long one that couldn't be told is left alone."""
GATHERED_S = 0.2
"""What happens within so short a time is told in one line: who listens has little room, and at the start many parts may
be missing at once."""


class Report:
    """The report to a supervisor. To be made on the loop that runs the table."""

    def __init__(self, supervisor: Supervisor, words: Words) -> None:
        self._supervisor = supervisor
        self._words = words
        self._loop = asyncio.get_running_loop()
        self._standing: Standing = {}
        self._session: Session | None = None
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened."""
        for happening in happened:
            if isinstance(happening, Notice):
                self._standing = stand(self._standing, happening)
        self._session = session
        if self._supervisor.listens and self._timer is None:
            self._timer = self._loop.call_later(GATHERED_S, self._tell)

    def close(self) -> None:
        """Report no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _tell(self) -> None:
        assert self._session is not None
        heard = self._supervisor.status(self._line(self._session))
        self._timer = None if heard else self._loop.call_later(RETRY_S, self._tell)

    def _line(self, session: Session) -> str:
        table, words = session.table, self._words
        line = [now_of(session, table.scoreboard, self._standing).title(words)]
        missing = [words.part(notice.part) for notice in self._standing.values() if isinstance(notice, PartLost)]
        if missing:
            line.append(words.text("screen", "missing", {"parts": ", ".join(missing)}))
        line += [words.notice(notice) for notice in self._standing.values() if not isinstance(notice, PartLost)]
        return " · ".join(line)
