"""Requests about the game: a new one, its players' names, presets, controls and corrections. What a card or a button
can do as well takes the same path from here on, through the session controller. This module must not know a rule."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from taptable.api import requests
from taptable.api.choices import Choices, names_per_player
from taptable.api.errors import RequestError
from taptable.core.controls import ControlSpec
from taptable.core.errors import DeckError, PresetsError
from taptable.core.notices import Notice, PlayersNamed
from taptable.core.observations import DISCARD_PAD, Arrangement, CardLost, CardRecovered, GameSetUp, SeatVacated
from taptable.core.tag_notices import DeckChosen, DeckMissing
from taptable.daemon.api.context import ApiContext, Handlers, Result, error_of_notice
from taptable.daemon.game_options import configured_in, with_wired_settings
from taptable.daemon.seating import seat_member
from taptable.games.registry import GAMES, find_game
from taptable.memory.presets import LONGEST_NAME, LONGEST_PLAYER, MAX_PRESETS, GameSetup, Preset, is_printable_name
from taptable.referee import corrections
from taptable.referee.corrections import Objection
from taptable.referee.seating import guest_names
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import starts_new_game

RESHUFFLE_CONTROL = ControlSpec("reshuffle")
"""A control that every game interprets in its own way, offered in addition to the game's controls."""

COMMAND_INTERVAL_US = 1_000_000
"""The least time, in table time, between two commands of other systems, because each is written to the journal."""

_log = logging.getLogger(__name__)


class GameRequests:
    """Requests of one table's API. Calls `on_change` when the presets have changed."""

    def __init__(self, context: ApiContext, on_change: Callable[[], None]) -> None:
        self._context = context
        self._on_change = on_change
        self._last_command_us: int | None = None
        all_choices = [
            Choices(game, len(context.config.seats), not context.config.buttons_share_a_clock) for game in GAMES
        ]
        self._choices = {choices.game: choices for choices in all_choices if choices.playable}
        self.handlers: Handlers = {
            requests.NewGame: self._new_game,
            requests.SetUp: self._set_up,
            requests.SavePreset: self._save,
            requests.DeletePreset: self._delete,
            requests.NamePlayers: self._name_players,
            requests.UseControl: self._use_control,
            requests.Control: self._control,
            requests.Command: self._command,
            requests.RowsChecked: self._rows_checked,
            requests.HandCounted: self._hand_counted,
            requests.Lost: self._lost,
            requests.Recovered: self._recovered,
            requests.Vacate: self._vacate,
        }
        context.active_deck.add_listener(self._save_deck_choice)

    def _new_game(self, _: requests.NewGame, by: str) -> Result:
        return self._start_game(lambda: self._context.controller.use_control("new-game", DISCARD_PAD, by))

    def _set_up(self, request: requests.SetUp, by: str) -> Result:
        context = self._context
        set_up = self._read_setup(request)
        # before the deck is switched to one with which the running game could not be continued
        context.require_free_pad()
        # the next start has to know whether the configuration was edited after this
        self._save_presets(lambda: context.presets.remember_configured(configured_in(context.config)))
        self._use_deck(set_up, by)
        game_options = with_wired_settings(context.config, find_game(set_up.game), set_up.game_options)
        game_options = replace(game_options, manifest=context.active_deck.manifest)
        result = self._start_game(
            lambda: context.controller.observe(
                lambda at_us: GameSetUp(at_us, set_up.game, game_options, set_up.heir_kept), by
            )
        )
        self._note_names(guest_names(set_up.names, context.session.members))
        return result

    def _start_game(self, begin: Callable[[], Sequence[TableEvent]]) -> Result:
        """Start a game and return the result. Raises `RequestError` if the table is busy otherwise."""
        events: list[TableEvent] = []

        def do(_: object) -> Sequence[TableEvent]:
            events.extend(begin())
            return events

        result = self._context.perform(do)
        begins = any(isinstance(each, Decision) and starts_new_game(each.observation, each.verdict) for each in events)
        if events and not begins and isinstance(events[-1], Notice):
            raise error_of_notice(events[-1])
        return result

    def _name_players(self, request: requests.NamePlayers, _: str) -> Result:
        session = self._context.session
        players = session.table.game_options.players
        before = names_per_player(session.names, players)
        names = list(names_per_player(_checked_names(request.names), players))
        for index, member in enumerate(names_per_player(session.members, players)):
            if member and names[index] == self._context.members.names.get(member):
                names[index] = before[index]  # the member's own name: nobody has typed it in for a guest
            elif names[index] not in ("", before[index]):  # a guest, who sits there now instead of any member
                seat_member(self._context.controller, "", index + 1)
        self._note_names(tuple(names))
        return {}

    def _save(self, request: requests.SavePreset, _: str) -> Result:
        presets = self._context.presets
        name = request.name.strip()
        if not is_printable_name(name, LONGEST_NAME):
            raise RequestError("setting-up", "no-name")
        if len(presets.presets) >= MAX_PRESETS and name not in {preset.name for preset in presets.presets}:
            raise RequestError("setting-up", "too-many", most=MAX_PRESETS)
        set_up = self._read_setup(request)
        return self._save_presets(lambda: presets.save(Preset(name, set_up)))

    def _delete(self, request: requests.DeletePreset, _: str) -> Result:
        return self._save_presets(lambda: self._context.presets.delete(request.name))

    def _save_presets(self, change: Callable[[], None]) -> Result:
        try:
            change()
        except PresetsError as error:
            _log.error("Presets not saved, the request was refused: %s", error)
            raise RequestError("setting-up", "not-kept") from error
        self._on_change()
        return {}

    def _note_names(self, names: tuple[str, ...]) -> None:
        controller = self._context.controller
        if names != names_per_player(controller.session.names, len(names)):
            controller.note(PlayersNamed(self._context.now_us(), names))

    def _read_setup(self, request: requests.SetUp) -> GameSetup:
        """Return the set-up in a request. Without a game it is for the table's."""
        decks = self._context.active_deck
        game = request.game or decks.game
        if game not in self._choices:
            raise RequestError("live", "wrong-choice", field="game", known=", ".join(self._choices))

        def manifest_of(deck: str) -> str:
            name = deck or decks.best_deck_for(game)
            return decks.decks.deck(name).manifest if name else ""

        deck_names = [name for name, _ in decks.decks_for(game)]
        return self._choices[game].read(request, deck_names, manifest_of, _checked_names(request.names))

    def _use_deck(self, set_up: GameSetup, by: str) -> None:
        """Use the deck of the set-up, or one that fits its game, or none if there is none."""
        decks = self._context.active_deck
        deck = set_up.deck or decks.best_deck_for(set_up.game)
        if deck == "":
            if set_up.game != decks.game:
                decks.switch_to_game(set_up.game)
                self._context.controller.note(DeckMissing(self._context.now_us()))
            return
        if deck == decks.deck_name:
            return
        try:
            decks.use(deck, set_up.game)
        except DeckError as error:
            raise RequestError("setting-up", "no-deck", deck=deck) from error
        self._context.controller.note(DeckChosen(self._context.now_us(), deck, by))

    def _save_deck_choice(self, deck: str) -> None:
        """Save the deck in use, so that it is used after the next start, too."""
        try:
            self._context.presets.remember_configured(configured_in(self._context.config))
            self._context.presets.choose_deck(deck)
        except PresetsError as error:
            _log.error("Chosen deck not saved, the next start may use another: %s", error)
        self._on_change()

    def _use_control(self, request: requests.UseControl, by: str) -> Result:
        table = self._context.session.table
        controls = {control.name: control for control in (*table.game.controls, RESHUFFLE_CONTROL)}
        name, fields = request.control, request.fields
        if name not in controls:
            raise RequestError("live", "wrong-choice", field="control", known=", ".join(controls))
        field_error = controls[name].find_error(fields, range(1, table.game_options.players + 1))
        if field_error is not None:
            raise RequestError("playing", "wrong-fields", name=RequestError("control", name), reason=field_error)
        self._context.require_free_pad()
        sorted_fields = tuple(sorted(fields.items()))
        return self._context.perform(lambda controller: controller.use_control(name, DISCARD_PAD, by, sorted_fields))

    def _control(self, request: requests.Control, by: str) -> Result:
        pad = DISCARD_PAD if request.seat is None else self._require_seat(request.seat)
        _require_allowed(corrections.find_objection(self._context.session, request.control))
        name = "check" if request.control == "break-off" else request.control
        return self._context.perform(lambda controller: controller.use_control(name, pad, by))

    def _command(self, request: requests.Command, by: str) -> Result:
        """Follow the table's own configuration, regardless of what the bridge believes."""
        context = self._context
        if context.config.mqtt is None or not context.config.mqtt.commands:
            raise RequestError("live", "no-commands")
        now_us = context.now_us()
        if self._last_command_us is not None and now_us - self._last_command_us < COMMAND_INTERVAL_US:
            raise RequestError("live", "too-many")
        self._last_command_us = now_us
        return self._control(requests.Control(request.command), by)

    def _rows_checked(self, request: requests.RowsChecked, _: str) -> Result:
        seat = self._require_seat(request.seat)
        _require_allowed(corrections.find_rows_objection(self._context.session, seat))
        return self._context.perform(lambda controller: controller.confirm_rows(seat))

    def _hand_counted(self, request: requests.HandCounted, _: str) -> Result:
        seat = self._require_seat(request.seat)
        _require_allowed(corrections.find_hand_objection(self._context.session, seat))
        return self._context.perform(lambda controller: controller.report_hand_count(seat, request.count))

    def _lost(self, request: requests.Lost, by: str) -> Result:
        card = self._require_card(request.card)
        return self._observe("lost", card, lambda at_us: CardLost(at_us, card), by)

    def _recovered(self, request: requests.Recovered, by: str) -> Result:
        card = self._require_card(request.card)
        return self._observe("recovered", card, lambda at_us: CardRecovered(at_us, card), by)

    def _vacate(self, request: requests.Vacate, by: str) -> Result:
        seat = self._require_seat(request.seat)
        return self._observe("vacate", seat, lambda at_us: SeatVacated(at_us, seat), by)

    def _observe(self, verb: str, about: int | str, make: Callable[[int], Arrangement], by: str) -> Result:
        _require_allowed(corrections.find_objection(self._context.session, verb, about))
        return self._context.perform(lambda controller: controller.observe(make, by))

    def _require_seat(self, seat: int) -> int:
        """Return the seat if somebody plays at it, or raise RequestError."""
        players = self._context.session.table.game_options.players
        if seat > players:
            raise RequestError("live", "wrong-seat", players=players)
        return seat

    def _require_card(self, card: str) -> str:
        """Return the card if the game's deck has it, or raise RequestError."""
        kind, _, number = card.partition("#")
        table = self._context.session.table
        count = dict(table.game.pack(table.game_options.manifest).counts).get(kind, 0)
        if number not in {str(each) for each in range(1, count + 1)}:
            raise RequestError("correcting", "no-such-card")
        return card


def _require_allowed(objection: Objection | None) -> None:
    """Raise RequestError with the objection, if there is one."""
    if objection is not None:
        raise RequestError(objection.context, objection.key, **objection.facts)


def _checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names without surrounding spaces, or raise `RequestError` for an invalid one."""
    stripped = tuple(" ".join(filter(None, name.split(" "))) for name in names)
    if not all(name == "" or is_printable_name(name, LONGEST_PLAYER) for name in stripped):
        raise RequestError("live", "wrong-name", most=LONGEST_PLAYER)
    return stripped
