"""Which cards are on the table: those of the deck in use. Where that comes to describe others, the next game is played
with them, and it begins at once where none is under way. Must not know who changed the deck, nor a rule."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.errors import ConfigError
from taptable.core.observations import GameSetUp
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.proceedings import Proceedings
from taptable.referee.session import Session


def is_under_way(session: Session) -> bool:
    """Is a game being played?"""
    return session.table.scoreboard.under_way


def why_not_dealt(session: Session, game: str, manifest: str) -> str | None:
    """Why the players at the table can't play a game with these cards, in a sentence of the game's; None if they can,
    or if it is another game."""
    table = session.table
    if table.game.name != game:
        return None
    try:
        table.game.new_game(replace(table.agreed, manifest=manifest), session.at_us, None)
    except ConfigError as error:
        return str(error)
    return None


def deal(playing: PlayingDeck, proceedings: Proceedings, by: str = "") -> None:
    """Begin a game with the cards of the deck in use, as agreed, if the table has others in mind and plays none now."""
    table = proceedings.session.table
    if playing.game != table.game.name or playing.manifest == table.agreed.manifest:
        return
    if not is_under_way(proceedings.session):
        agreed = replace(table.agreed, manifest=playing.manifest)
        proceedings.observe(lambda at_us: GameSetUp(at_us, table.game.name, agreed, agreed.starter is None), by)
