"""`taptable simulate` as it is used: options in, report, figures and plots out."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from choosing import long_params
from cli.commands import TAPTABLE, CommandResult, Terminal, process
from deadline import DEADLINE_S
from PIL import Image
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game, package_of
from taptable.sim import simulation
from taptable.sim.report import report
from taptable.sim.simulation import play_many, play_one
from taptable.sim.statistics import summarise
from taptable.words import LANGUAGES, Words
from tiny.registered import registered

ENGLISH = ("simulate", "--language", "en")

Simulate = Callable[..., CommandResult]


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str]) -> Simulate:
    def run(*options: str, status: int = 0) -> CommandResult:
        ran = Terminal(capsys).run(*ENGLISH, *options)
        assert ran.status == status, ran.err
        return ran

    return run


def test_the_report_tells_length_score_advantage_and_what_became_of_the_hackers(simulate: Simulate) -> None:
    said = simulate("-n", "12", "--seed", "4", "--set", "claim_s=8").out
    assert "Games: 12, from seed 4. Every seat begins in turn." in said
    assert "House rules: claim_s=8" in said
    for what in ("turns ", "minutes at the table", "all quotas met", "seats 1 and 3", "Whoever begins", "With equal"):
        assert what in said
    for what in ("Hackers", "not stopped, nobody buzzed", "False alarms", "Ties", "Searches", "Reshuffles"):
        assert what in said


def test_without_a_seed_the_report_names_the_one_that_was_taken(simulate: Simulate) -> None:
    once = simulate("-n", "2").out
    seed = once.split("from seed ")[1].split(".")[0]
    assert simulate("-n", "2", "--seed", seed).out == once


@pytest.mark.long
def test_the_same_seed_gives_the_same_output_on_one_core_or_two(tmp_path: Path) -> None:
    options = ("-n", "21", "--seed", "9", "--players", "3", "--json")
    first, second = (process(*ENGLISH, *options, "--jobs", jobs, folder=tmp_path) for jobs in (1, 2))
    assert (first.status, second.status) == (0, 0)
    assert first.out == second.out


def test_another_seed_gives_other_games(simulate: Simulate) -> None:
    assert simulate("-n", "3", "--seed", "1", "--json").out != simulate("-n", "3", "--seed", "2", "--json").out


def test_the_figures_as_json_name_what_was_agreed_and_every_share(simulate: Simulate) -> None:
    figures = json.loads(simulate("-n", "5", "--seed", "2", "--edition", "fr", "--starter", "2", "--json").out)
    assert (figures["game"], figures["edition"], figures["seed"], figures["starter"]) == ("online", "fr", 2, 2)
    assert [team["seats"] for team in figures["teams"]] == [[1, 3], [2, 4]]
    assert sum(team["wins"]["count"] for team in figures["teams"]) == 5
    assert set(figures["fates"]) == {"stopped", "stopped-after-alarm", "alarm", "unheard"}


def test_a_game_of_a_series_can_be_played_again_alone():
    game_options = GameOptions(4, "de", {}, None)
    for figures in list(play_many("online", game_options, 6, 4, 1)):
        assert play_one("online", game_options, figures.seed) == figures


@pytest.mark.parametrize("language", long_params(LANGUAGES))
def test_the_report_is_whole_in_every_language(language, simulate: Simulate) -> None:
    said = simulate("-n", "2", "--seed", "1", "--language", language, "--set", "time_limit_s=200").out
    assert "{" not in said
    assert not {"piles-reshuffled", "stopped-after-alarm", "games-axis", "score"} & set(said.split())


def test_the_report_of_a_game_that_has_no_words_yet_has_no_rows_of_its_own() -> None:
    with registered() as game:
        game_options = GameOptions(2, game.editions[0], {}, None)
        summary = summarise(list(play_many(game.name, game_options, 2, 1, 1)), "cards")
        said = list(report(summary, game, game_options, 1, Words("en")))
    assert said[-1] == ""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-n", "0"), "-n takes a whole number from 1 on, not 0."),
        (("--jobs", "0"), "--jobs takes a whole number from 1 on, not 0."),
        (("--seed", "-1"), "--seed takes a whole number from 0 on, not -1."),
        (("--plot", "a.pdf"), "--plot draws to .png and .svg files, and nothing to a.pdf."),
        (("--plot", "no/such/a.png"), "--plot can't write no/such/a.png: it takes a file in a folder that is there."),
        (("--set", "claim_s=900"), "The setting claim_s can't be '900': it takes seconds from 1 to 120."),
        (("--set", "teams=solo"), "teams=solo needs a time limit in this edition (R10.3): set time_limit_s as well."),
        (("--players", "7"), "ONLINE is played by 2 to 6 players, not by 7."),
    ],
)
def test_what_cannot_be_is_a_sentence_before_the_first_game(options, sentence, simulate: Simulate) -> None:
    done = simulate("-n", "1000000", *options, status=2)
    assert done.err == f"taptable simulate: {sentence}\n"
    assert done.out == ""


@pytest.mark.parametrize("ours", [True, False])
def test_without_matplotlib_a_sentence_says_how_this_very_environment_gets_it(
    ours: bool, simulate: Simulate, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("os.access", lambda *_, **__: ours)
    words = shlex.split(simulate("--plot", "a.png", status=2).err.partition("This installs it: ")[2])
    assert words[0] == (sys.executable if ours else "sudo")
    assert words[-3:] == ["pip", "install", "matplotlib"]
    # it is this Python's own pip that is asked, and it is there
    asked = [*words[words.index(sys.executable) : -2], "--version"]
    assert sys.prefix in subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def test_a_plot_has_no_more_bars_than_its_maximum_and_they_cover_every_length() -> None:
    pytest.importorskip("matplotlib")
    from taptable.sim.plots import BARS, length_edges

    for longest in range(7, 200):
        edges = length_edges([7, longest, 7])
        assert len(edges) - 1 <= BARS, longest
        assert edges[0] < 7 <= longest < edges[-1], longest


@pytest.mark.long
def test_plots_are_real_pictures_and_the_same_for_the_same_seed(tmp_path: Path, simulate: Simulate) -> None:
    pytest.importorskip("matplotlib")
    first, again = tmp_path / "first", tmp_path / "again"
    for folder in (first, again):
        folder.mkdir()
        simulate("-n", "6", "--seed", "3", "--plot", str(folder / "a.png"), "--plot", str(folder / "a.svg"))
    with Image.open(first / "a.png") as picture:
        picture.verify()
        assert picture.size == (1875, 1425)
    assert ElementTree.parse(first / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    for name in ("a.png", "a.svg"):
        assert (first / name).read_bytes() == (again / name).read_bytes()


def test_games_are_counted_on_a_terminal_and_nowhere_else(simulate: Simulate) -> None:
    assert "1/2" not in simulate("-n", "2", "--seed", "1").err
    main, side = pty.openpty()
    with subprocess.Popen(
        [*TAPTABLE, "simulate", "-n", "2", "--seed", "1", "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=side
    ) as process:
        os.close(side)
        shown = b""
        while chunk := _read(main):
            shown += chunk
        assert process.wait(DEADLINE_S) == 0
    os.close(main)
    assert b"\r1/2\r2/2\r\n" in shown


def test_a_game_that_may_never_end_is_broken_off_and_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(simulation, "MAX_TURNS", 12)
    endless = {
        f"quota_{kind}": most for kind, most in (("email", "22"), ("music", "14"), ("game", "8"), ("movie", "8"))
    }
    figures = play_one("online", GameOptions(3, "en", endless, None), 1)
    assert (figures.by, figures.winners, figures.turns) == ("broken-off", (), 13)


def test_a_game_in_which_nothing_leads_on_is_counted_as_stuck_and_reported_with_its_seed(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(simulation, "MAX_IN_A_TURN", 2)
    game_options = GameOptions(3, "de", {}, None)
    figures = list(play_many("online", game_options, 5, 2, 1))
    assert [(game.by, game.winners) for game in figures] == [("stuck", ()), ("stuck", ())]
    summary = summarise(figures, "MB")
    assert summary.stuck == tuple(game.seed for game in figures)
    said = "\n".join(report(summary, find_game("online"), game_options, 5, Words("en", (package_of("online"),))))
    assert "stuck: nobody could go on" in said
    assert f"stuck: 2, to be looked at with -n 1 --seed 5, {summary.stuck[1]}" in said


@pytest.mark.parametrize(
    ("name", "ends", "said"),
    [("cyber-siege", "points reached", "not defended"), ("xnet", "points reached", "Demands replaced")],
)
def test_every_game_is_described_in_its_own_words(name: str, ends: str, said: str, simulate: Simulate) -> None:
    told = simulate("--game", name, "--players", "3", "-n", "3", "--seed", "1").out
    assert ends in told
    assert said in told
    assert "edition" not in told


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side is closed
        return b""
