"""Any observation that could be in a journal of a game, sensible or not."""

from __future__ import annotations

from hypothesis import strategies as st
from taptable.core.controls import ControlSpec, Parameter
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.referee.lines import SHARED_CONTROLS
from taptable.referee.step import Table


def observations(table: Table) -> st.SearchStrategy[Observation]:
    """Return a strategy of observations with the pads, seats and controls of this table."""
    seats = table.game_options.players
    at_us = st.integers(0, 10**14)
    card, pad = st.text(), st.sampled_from(table.game.pads(table.state))
    laid = st.lists(st.tuples(card, pad), max_size=3).map(tuple)
    texts = st.dictionaries(st.text(), st.text(), max_size=3)
    game_options = st.builds(GameOptions, st.integers(0, 9), st.text(), texts, st.none() | st.integers(0, 9), st.text())
    hands = st.lists(st.tuples(st.integers(1, seats), st.integers(0, 112)), max_size=3).map(tuple)
    counts = st.lists(st.tuples(st.integers(1, seats), st.text(), st.integers(0, 112)), max_size=3).map(tuple)
    return st.one_of(
        st.builds(CardTapped, at_us, card, pad, st.just(0) | st.integers(0, 10**7)),
        st.builds(CardHeld, at_us, card, pad),
        st.builds(CardsTogether, at_us, st.lists(card, min_size=2, max_size=3).map(tuple), pad, at_us),
        st.tuples(st.integers(1, seats), at_us, st.integers(0, 10**7), st.integers(0, 10**7)).map(
            lambda drawn: ButtonPressed(drawn[1] + drawn[2], drawn[0], drawn[1], drawn[3])
        ),
        st.builds(TimePassed, at_us),
        st.builds(ControlUsed, at_us, st.sampled_from(SHARED_CONTROLS)),
        *(_used(control, seats) for control in table.game.controls),
        st.builds(TableCorrected, at_us, laid, st.lists(card).map(tuple), hands, counts),
        st.builds(GameSetUp, at_us, st.text(), game_options, st.booleans()),
        st.builds(SeatVacated, at_us, st.integers(1, seats)),
        st.builds(CardLost, at_us, card),
        st.builds(CardRecovered, at_us, card),
    )


def _used(control: ControlSpec, seats: int) -> st.SearchStrategy[ControlUsed]:
    """Return a strategy of the control's uses with fields that it may have."""
    needed = {each.name: _value(each, seats) for each in control.needed}
    optional = {each.name: _value(each, seats) for each in control.optional}
    given = st.fixed_dictionaries(needed, optional=optional)
    if control.optional_as == "together":
        given = st.fixed_dictionaries(needed) | st.fixed_dictionaries({**needed, **optional})
    elif control.optional_as == "some":
        given = given.filter(lambda fields: len(fields) > len(needed))
    fields = given.map(lambda fields: tuple(sorted(fields.items())))
    return st.builds(ControlUsed, st.integers(0, 10**14), st.just(control.name), fields)


def _value(parameter: Parameter, seats: int) -> st.SearchStrategy[int | str]:
    match parameter.kind:
        case "seat":
            return st.integers(1, seats)
        case "whole":
            return st.integers(parameter.least, 10**6 if parameter.most is None else parameter.most)
        case "text":
            return st.text()
