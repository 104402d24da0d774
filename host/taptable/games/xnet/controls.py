"""The controls of X.net as data, with the price, the choices and the pads of each. A control begins every action but
laying on a server (X5.1). Prices are changed here. Must not know an action's effect: `actions` does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.controls import ControlSpec, Fields, Parameter
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.games.xnet.state import Pending

DEMAND_PAD = "demand"
"""The pad of the pyramid, which not every table has (X5.4)."""

DEMAND_NEW = "demand-new"
DEMAND_REPLACE = "demand-replace"
SWAP = "swap"
TO_STREAMER = "to-streamer"
BUY_USERS = "buy-users"
HIRE_SPECIALIST = "hire-specialist"
BUY_SERVER = "buy-server"
BUY_STREAMER = "buy-streamer"
BUY_NET = "buy-net"
TO_HAND = "to-hand"

TOPIC = Parameter("topic", "text")
LOWER = Parameter("lower", "text")
UPPER = Parameter("upper", "text")

CONTROLS = (
    ControlSpec(
        DEMAND_NEW,
        needed=(Parameter("level", "whole", 1, 3),),
        cards=(("demand-new-1", (("level", 1),)), ("demand-new-2", (("level", 2),))),
    ),
    ControlSpec(DEMAND_REPLACE, optional=(TOPIC,), cards=((DEMAND_REPLACE, ()),)),
    ControlSpec(SWAP, optional=(LOWER, UPPER), optional_as="together", cards=((SWAP, ()),)),
    ControlSpec(TO_STREAMER, optional=(TOPIC,), cards=((TO_STREAMER, ()),)),
    ControlSpec(
        BUY_USERS,
        needed=(Parameter("users", "whole", 1, 2),),
        cards=(("buy-users-1", (("users", 1),)), ("buy-users-2", (("users", 2),))),
    ),
    ControlSpec(HIRE_SPECIALIST, optional=(TOPIC,), cards=((HIRE_SPECIALIST, ()),)),
    ControlSpec(BUY_SERVER, cards=((BUY_SERVER, ()),)),
    ControlSpec(BUY_STREAMER, cards=((BUY_STREAMER, ()),)),
    ControlSpec(BUY_NET, cards=((BUY_NET, ()),)),
    ControlSpec(TO_HAND, optional=(TOPIC,), cards=((TO_HAND, ()),)),
)


@dataclass(frozen=True, slots=True)
class Action:
    """The needs of an action: the topics to choose, in this order, on which pad (the own one, or that of the pyramid),
    and the number of cards to tap on `pay_on` (0: none; None: until their sum is enough, X3.2)."""

    choices: tuple[str, ...]
    choose_on: str
    price: int | None
    pay_on: Pad = DISCARD_PAD


OWN_PAD = "own"
"""Stands in an `Action` for the pad of the player on turn."""
ACTIONS: Mapping[str, Action] = {
    DEMAND_NEW: Action((), "", 1, DEMAND_PAD),
    DEMAND_REPLACE: Action(("topic",), DEMAND_PAD, None, DEMAND_PAD),
    SWAP: Action(("lower", "upper"), DEMAND_PAD, 1),
    TO_STREAMER: Action(("topic",), OWN_PAD, 0),
    BUY_USERS: Action((), "", 2),
    HIRE_SPECIALIST: Action(("topic",), OWN_PAD, 1),
    BUY_SERVER: Action((), "", 5),
    BUY_STREAMER: Action((), "", 3),
    BUY_NET: Action((), "", 7),
    TO_HAND: Action(("topic",), OWN_PAD, 0),
}


def least_cards(action: str) -> int:
    """Return the number of cards that a hand must have for this action (X5.8)."""
    price = ACTIONS[action].price
    return 1 if price is None else price


def open_choice(pending: Pending) -> str | None:
    """Return the choice that is open: ``topic``, ``lower``, ``upper`` or None (X5.2)."""
    return next((choice for choice in ACTIONS[pending.action].choices if getattr(pending, choice) is None), None)


def cards_owed(pending: Pending) -> int | None:
    """Return the number of cards still to be tapped; None if their sum decides (X5.5)."""
    price = ACTIONS[pending.action].price
    return None if price is None else price - len(pending.cards)


def known_fields(pending: Pending) -> Fields:
    """Return the fields of the control that are known."""
    values = (
        ("level", pending.level),
        ("lower", pending.lower),
        ("topic", pending.topic),
        ("upper", pending.upper),
        ("users", pending.users),
    )
    return tuple((name, value) for name, value in values if value is not None)


def make_pending(control: str, fields: Fields) -> Pending:
    """Return the action that a control begins, with its given fields."""
    values = dict(fields)

    def whole(name: str) -> int | None:
        value = values.get(name)
        return value if isinstance(value, int) else None

    def text(name: str) -> str | None:
        value = values.get(name)
        return value if isinstance(value, str) else None

    return Pending(control, whole("level"), whole("users"), text("topic"), text("lower"), text("upper"))


def as_text(control: str, fields: Fields) -> str:
    """Return a control as the referee's interface writes it; lists of controls are sorted by this."""
    return json.dumps({"control": control, **dict(fields)}, ensure_ascii=False, sort_keys=True)
