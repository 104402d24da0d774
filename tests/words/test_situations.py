"""Every code stands for a situation that can come about, with the verdict and the rule it is listed with."""

from __future__ import annotations

import pytest
from taptable.core.announcements import SHARED_ANNOUNCEMENTS
from taptable.core.verdicts import Accepted
from taptable.games.registry import find_game
from taptable.referee.codes import TABLE_CODES

from words.situations import SITUATIONS, Situation, everything_heard

ONLINE = find_game("online")
STANDS_ON = {code: (rule, kind) for code, rule, kind in (*ONLINE.codes, *TABLE_CODES)}


def test_there_is_a_situation_for_every_code():
    assert set(SITUATIONS) == set(STANDS_ON)


@pytest.mark.parametrize(("code", "play"), [(code, play) for code, plays in SITUATIONS.items() for play in plays])
def test_the_situation_of_a_code_ends_with_it(code: str, play: Situation):
    verdict = play().heard[-1]
    assert not isinstance(verdict, Accepted)
    assert verdict.code == code
    assert (verdict.rule, type(verdict)) == STANDS_ON[code]


def test_every_kind_of_announcement_is_made():
    made = {type(said) for verdict in everything_heard() for said in verdict.announcements}
    assert made == {*ONLINE.announcements, *SHARED_ANNOUNCEMENTS}
