"""Every code of ONLINE stands for a situation that can come about, with the verdict and the rule it is listed with."""

from __future__ import annotations

from taptable.games.registry import find_game
from taptable.referee.codes import TABLE_CODES

from words.situations import SITUATIONS


def test_every_code_has_situations_that_end_with_it_by_its_rule():
    codes = {code: (code, rule, kind) for code, rule, kind in (*find_game("online").codes, *TABLE_CODES)}
    assert set(SITUATIONS) == set(codes)
    for code, plays in SITUATIONS.items():
        for verdict in (play().heard[-1] for play in plays):
            assert (verdict.code, verdict.rule, type(verdict)) == codes[code]
