"""How the table stands, for the supervisor: in the words of the table what it waits for, and what is missing or stuck.
Follows what happened like the cues do."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.notices import Notice, PartLost
from taptable.edges.cues.standing import Standing, stand
from taptable.edges.page.now import now_of
from taptable.edges.supervisor import Supervisor
from taptable.referee.session import Happening, Session
from taptable.words import Words


class Report:
    """The report to a supervisor."""

    def __init__(self, supervisor: Supervisor, words: Words) -> None:
        self._supervisor = supervisor
        self._words = words
        self._standing: Standing = {}

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened."""
        for happening in happened:
            if isinstance(happening, Notice):
                self._standing = stand(self._standing, happening)
        if self._supervisor.listens:
            self._supervisor.status(self._line(session))

    def _line(self, session: Session) -> str:
        table, words = session.table, self._words
        line = [now_of(session, table.game.scoreboard(table.state)).title(words)]
        missing = [words.part(notice.part) for notice in self._standing.values() if isinstance(notice, PartLost)]
        if missing:
            line.append(words.text("screen", "missing", {"parts": ", ".join(missing)}))
        line += [words.notice(notice) for notice in self._standing.values() if not isinstance(notice, PartLost)]
        return " · ".join(line)
