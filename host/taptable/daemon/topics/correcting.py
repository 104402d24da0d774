"""Putting things right, asked for at the page: take back, reshuffle, pause, check the table, a card that is lost, a
player who leaves, the end of the game. Whatever a card or a button can do too goes the same way as that; what came of
it is answered in sentences. Must not know a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taptable.core.observations import DISCARD_PAD, Arrangement, CardLost, CardRecovered, SeatVacated
from taptable.daemon.proceedings import Proceedings
from taptable.daemon.topics.answering import Answer, answer
from taptable.edges.page import correcting
from taptable.edges.page.annex import Unfit
from taptable.edges.page.correcting import CheckPart, PossiblePart, WhyNot
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.topics import Asker, Verb
from taptable.referee.session import Happening, Session

MOST_IN_HAND = 20
"""Cards that somebody may be said to hold."""


class Correcting:
    """The topic of one table; `proceedings` is asked for when it is needed."""

    def __init__(self, proceedings: Callable[[], Proceedings]) -> None:
        self._find_proceedings = proceedings
        self._feed: Feed | None = None
        self._shown: Session | None = None
        self.verbs: Mapping[str, Verb] = {
            "take-back": Verb(self._take_back),
            "withdraw": Verb(self._control("withdraw")),
            "reshuffle": Verb(self._control("reshuffle")),
            "pause": Verb(self._control("pause")),
            "resume": Verb(self._control("resume")),
            "check": Verb(self._control("check")),
            "break-off": Verb(self._break_off),
            "rows-checked": Verb(self._rows_checked),
            "hand-counted": Verb(self._hand_counted),
            "lost": Verb(self._lost),
            "recovered": Verb(self._recovered),
            "vacate": Verb(self._vacate),
            "end-game": Verb(self._control("end-game")),
        }

    def attach(self, feed: Feed) -> None:
        """The page begins."""
        self._feed, self._shown = feed, None
        self.follow((), self._session)

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened: the parts are as it is now."""
        del happened
        shown, self._shown = self._shown, session
        if self._feed is None or (shown is not None and _same(shown, session)):
            return
        self._feed.put("question", correcting.question(session))
        self._feed.put("checking", CheckPart(session))
        self._feed.put("lost", correcting.lost(session))
        self._feed.put("possible", PossiblePart(session))

    @property
    def _proceedings(self) -> Proceedings:
        return self._find_proceedings()

    @property
    def _session(self) -> Session:
        return self._proceedings.session

    @property
    def _seats(self) -> int:
        return self._session.table.agreed.players

    def _control(self, name: str) -> Callable[[Fields, Asker], Any]:
        async def use(_: Fields, asker: Asker) -> Answer:
            _check(correcting.why_not(self._session, name), asker)
            return answer(self._proceedings.use_control(name, DISCARD_PAD, asker.name), asker)

        return use

    async def _take_back(self, fields: Fields, asker: Asker) -> Answer:
        """Ask for it, from a seat, whose button can't grant it then, or from the middle."""
        pad = fields.seat(self._seats) if "seat" in fields else DISCARD_PAD
        _check(correcting.why_not(self._session, "take-back"), asker)
        return answer(self._proceedings.use_control("take-back", pad, asker.name), asker)

    async def _break_off(self, _: Fields, asker: Asker) -> Answer:
        _check(correcting.why_not(self._session, "break-off"), asker)
        return answer(self._proceedings.use_control("check", DISCARD_PAD, asker.name), asker)

    async def _rows_checked(self, fields: Fields, asker: Asker) -> Answer:
        seat = fields.seat(self._seats)
        _check(correcting.why_not_rows(self._session, seat), asker)
        return answer(self._proceedings.rows_checked(seat), asker)

    async def _hand_counted(self, fields: Fields, asker: Asker) -> Answer:
        seat, count = fields.seat(self._seats), fields.whole("count", 0, MOST_IN_HAND)
        _check(correcting.why_not_hand(self._session, seat), asker)
        return answer(self._proceedings.hand_counted(seat, count), asker)

    async def _lost(self, fields: Fields, asker: Asker) -> Answer:
        card = self._card(fields)
        return self._observe("lost", card, lambda at_us: CardLost(at_us, card), asker)

    async def _recovered(self, fields: Fields, asker: Asker) -> Answer:
        card = self._card(fields)
        return self._observe("recovered", card, lambda at_us: CardRecovered(at_us, card), asker)

    async def _vacate(self, fields: Fields, asker: Asker) -> Answer:
        seat = fields.seat(self._seats)
        return self._observe("vacate", seat, lambda at_us: SeatVacated(at_us, seat), asker)

    def _card(self, fields: Fields) -> str:
        """A card of the game's deck."""
        card = fields.text("card")
        kind, _, number = card.partition("#")
        table = self._session.table
        count = dict(table.game.pack(table.agreed.manifest).counts).get(kind, 0)
        if number not in {str(each) for each in range(1, count + 1)}:
            raise Unfit(fields.words.text(correcting.CONTEXT, "no-such-card"))
        return card

    def _observe(self, verb: str, about: int | str, make: Callable[[int], Arrangement], asker: Asker) -> Answer:
        _check(correcting.why_not(self._session, verb, about), asker)
        return answer(self._proceedings.observe(make, asker.name), asker)


def _check(why: WhyNot | None, asker: Asker) -> None:
    """Unfit where something can't be."""
    if why is not None:
        raise Unfit(why.text(asker.words))


def _same(before: Session, now: Session) -> bool:
    """Is there nothing in it that these parts show otherwise? A tap that is refused changes nothing of that; states are
    values that are never changed, but costly to compare."""
    return (
        before.table.state is now.table.state
        and before.table.past is now.table.past
        and before.table.paused_at_us == now.table.paused_at_us
        and before.manners.checking is now.manners.checking
        and before.manners.consent is now.manners.consent
        and before.desk is now.desk
    )
