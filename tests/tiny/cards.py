"""The cards of Colours, and what is agreed before a game."""

from __future__ import annotations

from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.pack import Pack, PackKind
from taptable.core.settings import Unagreeable, Whole, out_of_range, unknown_key

PACK = Pack("colours", tuple(PackKind(colour, 3) for colour in ("red", "yellow", "green", "blue")))
CARDS = tuple(f"{colour}#{number}" for colour, count in PACK.counts for number in range(1, count + 1))
DEALT = 2
CARDS_TO_WIN = Whole("cards_to_win", 2, 6, 3)


def cards_to_win(agreed: Agreed) -> int:
    """The one house rule; ConfigError says what can't be agreed on."""
    if agreed.manifest:
        raise ConfigError("Colours has cards of its own: it takes no manifest.")
    if agreed.edition != "standard":
        raise ConfigError(f"There is no edition {agreed.edition!r}: there is standard.")
    if not 2 <= agreed.players <= 4:
        sentence = f"Colours is played by 2 to 4 players, not by {agreed.players}."
        raise Unagreeable(sentence, "players", players=agreed.players)
    if agreed.starter is not None and not 1 <= agreed.starter <= agreed.players:
        raise ConfigError(f"Seat {agreed.starter} can't begin: the seats are 1 to {agreed.players}.")
    for key in agreed.settings:
        if key != CARDS_TO_WIN.key:
            raise unknown_key(key, [CARDS_TO_WIN.key])
    text = agreed.settings.get(CARDS_TO_WIN.key, str(CARDS_TO_WIN.default))
    try:
        number = CARDS_TO_WIN.parse(text)
    except ValueError:
        raise out_of_range(CARDS_TO_WIN, text) from None
    most = len(CARDS) // agreed.players
    if number > most:
        raise Unagreeable(f"{agreed.players} players can lay {most} cards each, not {number}.", "too-many", most=most)
    return number
