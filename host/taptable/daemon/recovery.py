"""Determines what a table begins with: its deck, and the table as it was when the power went, replayed from the
journal, or a new game if there is nothing to resume. `inspect` checks both without changing anything. Must not know
devices or clients."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from taptable.config import Config
from taptable.core.check_notices import CheckBrokenOff, CheckCount, CheckDone, CheckHand, CheckTeam
from taptable.core.errors import ConfigError, DeckError, JournalError, PresetsError
from taptable.core.game_options import GameOptions
from taptable.core.notices import InterruptedWork, RestartBrokeOff
from taptable.core.tag_notices import EnrolmentBegan, EnrolmentEnded, EnrolmentMode, MemberCardAwaited
from taptable.daemon.active_deck import ActiveDeck
from taptable.daemon.game_options import chosen_deck, configured_in, game_options_at
from taptable.games.registry import GAMES, find_game
from taptable.history.playback import OtherRules, members_in, names_in, table_after
from taptable.memory.database import JournalDamaged
from taptable.memory.deck import card_set_for, completeness
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.presets import Presets, presets_file_of
from taptable.memory.records import Entry, GameHeader
from taptable.referee.notes import parse_notice
from taptable.referee.replaying import ReplayMismatch
from taptable.referee.step import Table, open_table


def open_journal(path: Path) -> Journal:
    """Open the journal at `path`. `Journal.open` moves a damaged file aside and raises; this function logs that, and
    opens a new journal in its place. Raises `JournalDamaged` only if the file couldn't be moved aside."""
    try:
        return Journal.open(path)
    except JournalDamaged as damage:
        if damage.moved_to is None:
            raise
        _log.error("Journal moved aside: %s", damage)
        return Journal.open(path)


class GameNotResumable(JournalError):
    """Raised if the last game isn't over but can't be resumed: its rules are unknown, or the referee answers
    differently now."""

    def __init__(self, game_id: int, path: Path, reason: object) -> None:
        super().__init__(
            f"game {game_id} in journal {path} can't be resumed: {reason}; it stays there unfinished, and a new "
            "one begins"
        )
        self.game_id = game_id


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """The table that a daemon begins with, whether it was restored, and the game that was given up for a new one."""

    table: Table
    is_restored: bool
    abandoned_game_id: int | None


def restore_or_begin(
    journal: Journal, config: Config, presets: Presets, active_deck: ActiveDeck, *, fresh_start: bool = False
) -> StartingPoint:
    """Return the restored table, or one with a new game, which is written to the journal, if there is nothing to resume
    or `fresh_start` is set. Both are played with the deck in use, or with another one if that is for another game."""
    table, abandoned_game_id = None, None
    try:
        table = None if fresh_start else restore_table(journal, config, presets)
    except GameNotResumable as error:
        _log.warning("Game not resumed: %s", error)
        abandoned_game_id = error.game_id
    is_restored = table is not None
    if table is None:
        table = _begin(config, *agreed_options(journal, config, presets), active_deck, journal.last_at_us())
        journal.begin_game(header_of(table, config, None, active_deck.deck_name))
    else:
        active_deck.switch_to_game(table.game.name)
    if presets.was_damaged or presets.configured is not None:
        try:
            # only now, when the journal has the game that follows the configuration
            presets.remember_configured(configured_in(config))
        except PresetsError as error:
            _log.error("Configured game not saved, the next start may take it for edited: %s", error)
    return StartingPoint(table, is_restored, abandoned_game_id)


def restore_table(journal: JournalReader, config: Config, presets: Presets) -> Table | None:
    """Return the table after the last game in the journal, if its options are those in force; None if there is nothing
    to resume. Raises `GameNotResumable`."""
    last = journal.last_game()
    if last is None:
        return None
    game, game_options = agreed_options(journal, config, presets)
    # the cards of a game under way may differ from the ones in force
    if last.header.game != game or replace(last.header.game_options, manifest="") != game_options:
        if last.outcome is None:
            _log.warning("Game not resumed: game %d isn't over, but has other options than are configured", last.id)
        return None
    transcript = transcript_of(journal, last.id)
    try:
        return table_after(transcript)
    except (ReplayMismatch, OtherRules) as error:
        if last.outcome is None:
            raise GameNotResumable(last.id, journal.path, error) from error
        _log.warning("Game not restored: game %d is over, so a new one begins: %s", last.id, error)
        return None


def agreed_options(journal: JournalReader, config: Config, presets: Presets) -> tuple[str, GameOptions]:
    """Return the table's game and its options without cards: what people agreed on last on the page, unless the
    configuration was edited since."""
    last = journal.last_game()
    # with damaged presets an edit can't be detected, and a game that is under way isn't given up for that
    unedited = presets.was_damaged or presets.configured == configured_in(config)
    if last is None or not unedited or last.header.players > len(config.seats) or last.header.game not in GAMES:
        return config.game.name, game_options_at(config)
    return last.header.game, replace(last.header.game_options, manifest="")


def names_at(journal: JournalReader, table: Table) -> tuple[str, ...]:
    """Return the players' names at a restored table, seat 1 first; empty if nobody gave any."""
    last = journal.last_game()
    return () if last is None else names_in(transcript_of(journal, last.id))[: table.game_options.players]


def members_at(journal: JournalReader, table: Table) -> tuple[str, ...]:
    """Return the members seated at a restored table, seat 1 first; empty if there are none."""
    last = journal.last_game()
    return () if last is None else members_in(transcript_of(journal, last.id))[: table.game_options.players]


def interrupted_work(journal: JournalReader) -> EnrolmentBegan | RestartBrokeOff | None:
    """Return the work beside the game that was interrupted when the table stopped: an enrolment, which can be resumed,
    or work that has to be begun again, such as a check; None if there was none."""
    last = journal.last_game()
    if last is None:
        return None
    found: EnrolmentBegan | RestartBrokeOff | None = None
    for entry in journal.entries(last.id):
        notice = parse_notice(entry.line or {}) if entry.kind == "note" else None
        match notice:
            case EnrolmentBegan(at_us, deck, mode):
                check = RestartBrokeOff(at_us, InterruptedWork.DECK_CHECK, deck)
                found = check if mode is EnrolmentMode.CHECK else notice
            case CheckTeam(at_us) | CheckHand(at_us) | CheckCount(at_us):
                found = RestartBrokeOff(at_us, InterruptedWork.CHECK)
            case MemberCardAwaited(at_us, member, replaces) if member:
                found = RestartBrokeOff(at_us, InterruptedWork.MEMBER_CARD, "", member, replaces)
            case RestartBrokeOff():
                found = notice
            case EnrolmentEnded() | CheckDone() | CheckBrokenOff() | MemberCardAwaited():
                found = None
            case _ if isinstance(found, RestartBrokeOff) and _is_resumption(entry):
                found = None
            case _:
                pass
    return found


def _is_resumption(entry: Entry) -> bool:
    """Return whether somebody resumed the game. A pause may also come from the table itself."""
    line = entry.line or {}
    accepted = entry.kind == "observation" and (entry.answer or {}).get("verdict") == "accepted"
    return accepted and line.keys() != {"at"} and line.get("control") != "pause"


def _begin(config: Config, game: str, game_options: GameOptions, active_deck: ActiveDeck, at_us: int) -> Table:
    active_deck.switch_to_game(game)
    try:
        table, _ = open_table(find_game(game), replace(game_options, manifest=active_deck.manifest), at_us)
    except ConfigError as error:  # agreed on with another version of the game, or with other cards
        _log.warning("Agreed game not possible, the configured one is played: %s", error)
        active_deck.switch_to_game(config.game.name)
        configured = replace(game_options_at(config), manifest=active_deck.manifest)
        table, _ = open_table(find_game(config.game.name), configured, at_us)
    return table


def header_of(table: Table, config: Config, next_starter: int | None, deck: str) -> GameHeader:
    """Return the header of the game that has just begun at a table with this deck."""
    return GameHeader(
        at_us=table.at_us,
        game=table.game.name,
        edition=table.game_options.edition,
        players=table.game_options.players,
        settings=dict(table.game_options.settings),
        starter=table.game_options.starter,
        language=config.table.language,
        deck=deck,
        rules_version=table.game.rules_version,
        next_starter=next_starter,
        begun_utc=datetime.now(UTC).isoformat(timespec="seconds"),
        manifest=table.game_options.manifest,
    )


_log = logging.getLogger(__name__)

_MAX_NAMED = 10
"""How many missing cards a log line names."""


def open_deck(config: Config, chosen: str | None = None) -> ActiveDeck:
    """Open the deck of a table: the one `chosen` before, for any game, if it is still usable, else the configured one.

    Raises `DeckError` if the configured deck can't be played with. It may be missing only if there is a page that can
    enrol it. Other faults in the folder of decks are only logged."""
    folder, game = config.table.decks, config.game.name
    if chosen is not None and chosen != config.table.deck:
        try:
            return _log_faults(ActiveDeck(folder, None, chosen))
        except DeckError as error:
            _log.warning("Chosen deck not usable, the table plays with deck %s: %s", config.table.deck, error)
    name: str | None = config.table.deck
    if config.page is not None and not folder.joinpath(f"{name}.json").exists():
        _log.warning("Deck missing: %s; enrol it on the page", name)
        name = None
    return _log_faults(ActiveDeck(folder, game, name))


def _log_faults(active_deck: ActiveDeck) -> ActiveDeck:
    """Log the faults of the decks and return the same object."""
    for fault in active_deck.decks.faults.values():
        _log.warning("Deck not usable: %s", fault)
    if name := active_deck.deck_name:
        deck = active_deck.decks.deck(name)
        missing = completeness(deck, card_set_for(deck)).missing
        if missing:
            more = ", …" if len(missing) > _MAX_NAMED else ""
            _log.warning(
                "Deck incomplete: %s lacks %d cards: %s%s", name, len(missing), ", ".join(missing[:_MAX_NAMED]), more
            )
    return active_deck


def inspect(config: Config) -> None:
    """Check deck and journal as the table will at its start, without changing anything. Raises what the start would
    raise."""
    presets = Presets(presets_file_of(config.table.journal), read_only=True)
    active_deck = open_deck(config, chosen_deck(config, presets))
    if active_deck.game == config.game.name:
        try:
            open_table(find_game(active_deck.game), replace(game_options_at(config), manifest=active_deck.manifest))
        except ConfigError as error:
            raise ConfigError(f"deck {active_deck.deck_name} can't be played with: {error}") from error
    if config.table.journal.exists():
        with JournalReader.open(config.table.journal) as journal:
            try:
                restore_table(journal, config, presets)
            except GameNotResumable as error:
                _log.warning("Game not resumed: %s", error)
