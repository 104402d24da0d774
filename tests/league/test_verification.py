"""How a league plays a game again: what it proves, and the fastest press that stopped a hacker."""

from __future__ import annotations

from pathlib import Path

from cli.evenings import write_script
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardTapped, TimePassed
from taptable.league.verification import PROVED, Replay
from taptable.memory.journal_reader import JournalReader, transcript_of

S = 1_000_000


def replay_of(path: Path, *stopping: ButtonPressed | CardTapped) -> Replay:
    """Return the replay of a game. Seat 2 presses for one hacker and shows no card; it stops the second like this."""
    journal = path / "journal.sqlite"
    script = [
        CardTapped(10 * S, "hacker#1", 1),
        ButtonPressed(10 * S + 500, 2, 10 * S + 400, 100),
        TimePassed(30 * S),  # nobody has shown a card
        ButtonPressed(31 * S, 1, 31 * S),  # the hack is waived
        CardTapped(40 * S, "hacker#2", 1),
        *stopping,
        TimePassed(60 * S),
    ]
    write_script(journal, GameOptions(3, "de", {}, 1), script)
    with JournalReader.open(journal) as reader:
        (game,) = reader.games()
        transcript = transcript_of(reader, game.id)
    replay = Replay.begin(transcript.game.header)
    for entry in transcript.entries:
        replay.play(entry)
    assert replay.table is not None
    assert replay.table.state.turn.seat == 2  # the hacker was stopped
    return replay


def test_a_card_at_a_reader_without_stamps_is_proved_and_no_press_of_an_earlier_window_counts_for_it(tmp_path: Path):
    replay = replay_of(tmp_path, CardTapped(42 * S, "cyber-patrol#1", 2, 500_000))
    assert (replay.proof, replay.why) == (PROVED, "")
    assert replay.fastest is None


def test_the_press_before_the_card_counts(tmp_path: Path):
    pressed = ButtonPressed(42 * S, 2, 42 * S - 50, 25)
    replay = replay_of(tmp_path, pressed, CardTapped(43 * S, "cyber-patrol#1", 2, 500_000))
    assert replay.proof == PROVED
    assert replay.fastest is not None
    assert (replay.fastest.us, replay.fastest.bound_us, replay.fastest.seat) == (2 * S - 50, 25, 2)
