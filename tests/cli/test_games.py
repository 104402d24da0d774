"""`taptable games`: what was played, told and written to files."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from taptable.core.game_options import GameOptions
from taptable.core.notices import CardLying, ConsentAsked, Notice, PhoneSeen
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    TimePassed,
)
from taptable.core.part_notices import PartLost
from taptable.memory.journal import Journal

from cli.commands import Terminal, process
from cli.evenings import FOUR, S, play_evening, write_other_rules, write_script

TWO = GameOptions(2, "de", {}, 1)

BUZZED = (
    CardTapped(2 * S, "online#1", 1),
    CardTapped(3 * S, "virus#1", 1),
    CardHeld(4_500_000, "online#1", 1),
    CardsTogether(5 * S, ("game#1", "movie#2"), 1, 4_900_000),
    PhoneSeen(6 * S, 2),
    PartLost(7 * S, "pad 2", "no answer"),
    CardLying(8 * S, "email#9", "discard"),
    ConsentAsked(9 * S, 2, 19 * S),
    CardTapped(10 * S, "hacker#1", 1),
    ButtonPressed(10_504_200, 3, 10_504_200, 50),
    ButtonPressed(10_504_200, 2, 10_500_000, 50),
    TimePassed(10_600_000),
    CardTapped(12 * S, "cyber-patrol#1", 2),
    ControlUsed(13 * S, "pause"),
    CardTapped(14 * S, "email#1", 1),
    ControlUsed(15 * S, "resume"),
)
"""Seat 1 shows a hacker; seat 2 stops it, having pressed 4.2 ms before seat 3."""


def test_games_are_listed_with_day_length_and_result(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite", games=2)
    ran = terminal.run("games", "--journal", "journal.sqlite")
    assert ran.status == 0
    heading, first, second = ran.lines
    assert heading.split() == ["ID", "Begun", "Game", "Players", "Length", "Result"]
    row = r"{} +2025-11-2\d \d\d:\d\d +online de +4 +\d:\d\d:\d\d +victory for seats (1 and 3|2 and 4)"
    assert re.fullmatch(row.format(1), first)
    assert re.fullmatch(row.format(2), second)


def test_a_game_that_still_runs_is_listed_and_told_while_another_process_writes(
    folder: Path, terminal: Terminal
) -> None:
    write_script(folder / "journal.sqlite", TWO, BUZZED[:2])
    with Journal.open(folder / "journal.sqlite"):
        assert terminal.run("games", "--journal", "journal.sqlite").lines[1].endswith("not over")
        told = terminal.run("games", "show", "1", "--journal", "journal.sqlite").lines
    assert told[-3:] == ["Not over yet; so far:", "  Seat 1: 0 MB", "  Seat 2: 0 MB"]


def test_a_game_is_told_move_by_move_with_table_time(folder: Path, terminal: Terminal) -> None:
    write_script(folder / "journal.sqlite", FOUR, [ButtonPressed(S, 1, S), *BUZZED])
    ran = terminal.run("games", "show", "1", "--journal", "journal.sqlite")
    assert ran.status == 0
    assert ran.lines[0] == "Game 1: online, edition de, 4 players, deck family, rules online/3."
    assert ran.lines[1].startswith("Begun on 2025-11-2")
    assert ran.lines[2:5] == [
        "House rules: claim_s=20.",
        "",
        "0:00:00.000  New game: youngest player, press your button.",
    ]
    assert ran.lines[5:-4] == [
        "0:00:01.000  Seat 1 is on turn.",
        "0:00:02.000  Seat 1 plays Online.",
        "0:00:03.000  Refused (R6.1): Virus, seat 1. Seat 1 is on turn. Attack cards go only to that seat’s opponents.",
        "0:00:05.000  Refused (R11): Game, Movie, seat 1. Two cards at once don’t count. Tap them one after the other.",
        "0:00:06.000  Seat 2: That’s a phone or a bank card.",
        "0:00:07.000  Pad 2 doesn’t answer.",
        "0:00:08.000  E-mail, discard pile: Lift it and tap it again.",
        "0:00:09.000  Seat 2: Take back? Another player’s button says yes.",
        "0:00:10.000  Hacker! Seat 1 wants to hack.",
        "0:00:10.000  A window opens: whoever wants to step in presses.",
        "0:00:10.504  Seat 3 has pressed.",
        "0:00:10.504  Seat 2 has pressed.",
        "0:00:10.600  Seat 2 was first, by 4.2 ms ± 0.1.",
        "0:00:12.000  Cyber Patrol! Seat 2 stops seat 1, who also loses the next turn.",
        "0:00:12.000  Seat 1’s turn ends at once.",
        "0:00:12.000  Seat 2 is on turn and draws 1 card.",
        "0:00:13.000  The game is paused.",
        "0:00:14.000  Refused (R11): E-mail, seat 1. The game is paused. Resume it first.",
        "0:00:15.000  Play goes on.",
    ]


def test_r10_3_where_cards_decided_the_end_and_the_places_say_so(folder: Path, terminal: Terminal) -> None:
    cards = ("online#1", "extra-memory#1", "movie#1"), ("turbo-line#1", "email#1", "email#2")
    taps = [CardTapped(at * S, card, seat) for seat in (1, 2) for at, card in enumerate(cards[seat - 1], 10 * seat)]
    script = [*taps[:3], ButtonPressed(19 * S, 1, 19 * S), *taps[3:], ControlUsed(30 * S, "end-game")]
    write_script(folder / "journal.sqlite", replace(TWO, edition="fr"), script)
    told = terminal.run("games", "show", "1", "--journal", "journal.sqlite").lines
    assert told[-5:] == [
        "0:00:30.000  The game ends here, as it stands. Victory for seat 2! By category cards: 2 against 1.",
        "",
        "At the end:",
        "  1. seat 2: 50 MB, category cards: 2",
        "  2. seat 1: 200 MB, category cards: 1",
    ]
    assert terminal.run("replay", "1", "--journal", "journal.sqlite").status == 0


def told_of(folder: Path, terminal: Terminal, *script: Observation | Notice) -> list[str]:
    """The course of a game of two in which the first e-mail wins, without times, and where the places begin."""
    little = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}
    write_script(folder / "journal.sqlite", replace(TWO, settings=little), script)
    lines = terminal.run("games", "show", "1", "--journal", "journal.sqlite").lines
    return [line.partition("  ")[2] for line in lines if re.match(r"\d:", line)] + [lines[-3]]


WON = (CardTapped(2 * S, "online#1", 1), CardTapped(3 * S, "email#1", 1))
AFTERWARDS = (CardTapped(4 * S, "virus#1", 1), PhoneSeen(5 * S, 2), ControlUsed(6 * S, "pause"))
VICTORY = "All files are downloaded. Victory for seat 1!"


def test_nothing_is_told_after_the_end_of_the_game(folder: Path, terminal: Terminal) -> None:
    told = told_of(folder, terminal, *WON, *AFTERWARDS, ControlUsed(7 * S, "resume"), ControlUsed(8 * S, "new-game"))
    assert told[-2:] == [VICTORY, "At the end:"]


def test_an_end_that_was_taken_back_is_told_and_what_came_after_it(folder: Path, terminal: Terminal) -> None:
    again = (ControlUsed(7 * S, "take-back"), ControlUsed(8 * S, "resume"), CardTapped(9 * S, "email#2", 1))
    told = told_of(folder, terminal, *WON, *AFTERWARDS, *again, CardTapped(10 * S, "virus#2", 1))
    assert told[-9:] == [
        VICTORY,
        "Refused (R10.1): Virus, seat 1. The game is over. Begin a new one, then cards count again.",
        "Seat 2: That’s a phone or a bank card.",
        "The game is paused.",
        "The last move is taken back.",
        "Play goes on.",
        "Seat 1 downloads E-mail: 25 MB now.",
        VICTORY,
        "At the end:",
    ]


def test_a_game_that_is_not_over_ends_with_the_beginning_of_the_next(folder: Path, terminal: Terminal) -> None:
    told = told_of(folder, terminal, WON[0], ControlUsed(3 * S, "new-game"))
    assert told[-3:] == ["New game: seat 1 begins.", "Seat 1 is on turn.", "Not over yet; so far:"]


def test_the_journal_is_found_by_the_configuration_in_this_folder(folder: Path, terminal: Terminal) -> None:
    example = Path(__file__).parents[2] / "examples" / "compact.toml"
    (folder / "table.toml").write_text(example.read_text().replace("[game]", 'journal = "our/games.db"\n[game]', 1))
    (folder / "our").mkdir()
    play_evening(folder / "our" / "games.db")
    assert len(terminal.run("games").lines) == 2
    (folder / "elsewhere").mkdir()
    (folder / "table.toml").rename(folder / "elsewhere" / "kitchen.toml")
    (folder / "our").rename(folder / "elsewhere" / "our")
    assert len(terminal.run("games", "--config", "elsewhere/kitchen.toml").lines) == 2
    assert len(terminal.run("games", "--config", "elsewhere/kitchen.toml", "show", 1).lines) > 20


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["games"], r"taptable games: there is no journal at .*/data/taptable/journal\.sqlite yet\n"),
        (["games", "--config", "no.toml"], r"taptable games: no\.toml isn't there: copy .*\n"),
        (["games", "--journal", "no.sqlite"], r"taptable games: there is no journal at no\.sqlite yet\n"),
        (
            ["games", "show", "2", "--journal", "one.sqlite"],
            r"taptable games: there is no game 2 in journal .*one\.sqlite\n",
        ),
        (
            ["games", "show", "0", "--journal", "one.sqlite"],
            r"taptable games: there is no game 0 in journal .*one\.sqlite\n",
        ),
        (["games", "show", "-1"], r"taptable games: -1 can't be read: .*\n"),
        (
            ["games", "show", "one", "--journal", "one.sqlite"],
            r"taptable games: one can't be read: .* by its ID, .* file\n",
        ),
        (["games", "export", "9" * 30, "--journal", "one.sqlite"], r"taptable games: there is no game 9+ in .*\n"),
        (
            ["games", "--journal", "old.sqlite", "show", "1"],
            r"taptable games: this game was begun by the rules online/0, .*\n",
        ),
        (["games", "--journal", "odd.sqlite"], r"taptable games: journal odd\.sqlite is damaged .*\n"),
    ],
)
def test_an_impossible_request_is_refused_in_a_sentence(
    folder: Path, terminal: Terminal, arguments: list[str], sentence: str
) -> None:
    write_script(folder / "one.sqlite", TWO, BUZZED[:1])
    write_other_rules(folder / "old.sqlite")
    (folder / "odd.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    ran = terminal.run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(sentence, ran.err)


def test_an_empty_journal_has_no_games(folder: Path, terminal: Terminal) -> None:
    Journal.open(folder / "journal.sqlite").close()
    ran = terminal.run("games", "--journal", "journal.sqlite")
    assert (ran.status, ran.out) == (0, "There is no game in the journal yet.\n")


def test_a_game_of_other_rules_is_listed_and_exported_all_the_same(folder: Path, terminal: Terminal) -> None:
    write_other_rules(folder / "journal.sqlite")
    assert len(terminal.run("games", "--journal", "journal.sqlite").lines) == 2
    ran = terminal.run("games", "export", "1", "--journal", "journal.sqlite")
    assert json.loads(ran.out)["rules_version"] == "online/0"


def test_an_exported_file_is_told_as_the_journal_tells_it(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite")
    told = terminal.run("games", "show", "1", "--journal", "journal.sqlite").out
    ran = terminal.run("games", "export", "1", "game.json", "--journal", "journal.sqlite")
    assert (ran.status, ran.out) == (0, "Game 1 is written to game.json.\n")
    assert terminal.run("games", "show", "game.json").out == told
    assert terminal.run("games", "export", "game.json").out == (folder / "game.json").read_text()


def test_a_file_that_is_there_is_replaced_only_by_force(folder: Path, terminal: Terminal) -> None:
    write_script(folder / "journal.sqlite", TWO, BUZZED[:1])
    (folder / "game.json").write_text("mine")
    export = ("games", "export", "1", "game.json", "--journal", "journal.sqlite")
    ran = terminal.run(*export)
    assert (ran.status, ran.err) == (2, "taptable games: game.json is there already: --force replaces it\n")
    assert (folder / "game.json").read_text() == "mine"
    assert terminal.run(*export, "--force").status == 0
    assert json.loads((folder / "game.json").read_text())["id"] == 1
    ran = terminal.run(*export[:3], "no/game.json", *export[4:])
    assert (ran.status, ran.err) == (2, "taptable games: no/game.json can't be written: No such file or directory\n")


def test_the_language_follows_the_environment(folder: Path) -> None:
    write_script(folder / "journal.sqlite", TWO, BUZZED[:1])
    ran = process("games", "--journal", "journal.sqlite", folder=folder, environment={"LANGUAGE": "nl_NL"})
    assert ran.lines[0].split()[-1] == "Uitslag"


def test_letters_that_a_terminal_has_not_got_become_question_marks(folder: Path) -> None:
    write_script(folder / "journal.sqlite", TWO, [PhoneSeen(S, 2)])
    ran = process(
        "games", "show", "1", "--journal", "journal.sqlite", folder=folder, environment={"PYTHONIOENCODING": "ascii"}
    )
    assert (ran.status, ran.err) == (0, "")
    assert "That?s a phone" in ran.out


def test_r10_4_the_tally_adds_up_shortfalls_and_what_the_players_enter(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite", GameOptions(3, "fr", {}, 1), games=2)
    ran = terminal.run("games", "tally", "--journal", "journal.sqlite", "--left", "1=9")
    assert ran.status == 0
    heading, *lines = ran.lines[:-1]
    gains_at, losses_at = heading.index("gains"), heading.index("losses")
    columns = [(line.split()[0], line[gains_at:losses_at].strip(), line[losses_at:].strip()) for line in lines]
    first, second, sums = ([(gain, loss) for which, gain, loss in columns if which == name] for name in "12=")
    assert [gain for gain, _ in first if gain] == ["9"]
    assert [gain for gain, _ in second if gain] == ["?"]
    losses = [int(loss) for _, loss in first + second if loss]
    assert len(losses) == 4
    assert all(0 < loss <= 14 for loss in losses)
    assert sum(int(gain) for gain, _ in sums) == 9  # nothing is set off
    assert sum(int(loss) for _, loss in sums) == sum(losses)
    assert "--left" in ran.lines[-1]


def test_a_game_that_cant_be_told_is_left_out_of_the_tally_in_a_sentence(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite", GameOptions(3, "fr", {}, 1), games=2)
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE games SET rules_version = 'online/0' WHERE id = 1")
    ran = terminal.run("games", "tally", "--journal", "journal.sqlite")
    assert ran.status == 0
    assert {line.split()[0] for line in ran.lines[1:-1]} == {"2", "="}
    assert re.match(r"taptable games: game 1 is left out: this game was begun by the rules online/0", ran.err)


def test_r10_4_only_some_editions_keep_a_tally(folder: Path, terminal: Terminal) -> None:
    play_evening(folder / "journal.sqlite")
    ran = terminal.run("games", "tally", "--journal", "journal.sqlite")
    assert ran.status == 0
    assert len(ran.lines) == 1
