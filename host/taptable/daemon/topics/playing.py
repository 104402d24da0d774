"""Playing by the page: the controls that a game has of its own, used as if by their cards, with the fields that a card
can't say. Must not know a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from taptable.core.controls import Control
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.proceedings import Proceedings
from taptable.daemon.topics.answering import Answer, answer
from taptable.edges.page.annex import Unfit
from taptable.edges.page.correcting import WhyNot
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.topics import Asker, Verb
from taptable.referee.session import Happening, Session

CONTEXT = "playing"
"""Of the catalogues: the sentences of this topic."""

SHARED = Control("reshuffle")
"""A control that every game reads in its own way, and that is offered beside those it has of its own."""


class Playing:
    """The topic of one table; `proceedings` is asked for when it is needed."""

    def __init__(self, proceedings: Callable[[], Proceedings]) -> None:
        self._proceedings = proceedings
        self.verbs: Mapping[str, Verb] = {"use-control": Verb(self._use_control)}

    def attach(self, feed: Feed) -> None:
        """The page begins; which controls there are now is part of what everybody sees."""

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened, which is nothing to this topic."""

    async def _use_control(self, fields: Fields, asker: Asker) -> Answer:
        """A control of the game with its fields; Unfit says what is wrong with them, or why it can't be used now."""
        proceedings = self._proceedings()
        session = proceedings.session
        table = session.table
        controls = {control.name: control for control in (*table.game.controls, SHARED)}
        name = fields.one_of("control", controls)
        given = fields.values("fields")
        wrong = controls[name].wrong_with(given, range(1, table.agreed.players + 1))
        if wrong is not None:
            control = asker.words.text("control", name)
            raise Unfit(asker.words.text(CONTEXT, "wrong-fields", {"name": control, "reason": wrong}))
        if session.desk is not None:
            raise Unfit(WhyNot("notice", "discard-pad-taken", {}).text(asker.words))
        return answer(proceedings.use_control(name, DISCARD_PAD, asker.name, tuple(sorted(given.items()))), asker)
