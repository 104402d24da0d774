"""A whole game of Cyber Siege and of X.net, one seat played at the page by clicks, drags, buttons and keys, the others
by virtual players; and what the page shows then is what lies on the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_server.test_controls import an_xnet_turn, words_of
from taptable.page.view import parts_of

from page.evening import an_evening
from page.layout import PHONE, layout_faults
from page.table_pool import TablePool

SEAT = 1


SHOWN_AGAIN = """async (parts) => {
  const [{ makeStages }, { makeWords }] = await Promise.all([
    import("/static/views/games/replay.js"), import("/static/words.js"),
  ]);
  const about = await (await fetch("/about.json")).json();
  const words = makeWords();
  await words.use("en");
  const stage = makeStages({ about, words })("xnet");
  document.body.append(stage.cloth);
  await stage.ready;
  stage.store.apply({ boot: "game 1", revision: 1, at_us: 0, parts });
  await watched.until((cloth) => cloth.querySelector("[data-pyramid] .card"), stage.cloth, 10000);
  const faces = [...stage.cloth.querySelectorAll("[data-pyramid] .card")];
  return faces.map((face) => {
    const symbol = face.querySelector("use").getAttribute("href");
    return [face.dataset.card, face.querySelector(".card-name").textContent, symbol, symbol !== null
      && document.querySelector(symbol) !== null, face.querySelector(".card-label").textContent];
  });
}"""


def test_a_game_of_another_kind_is_shown_again_with_its_own_faces_and_words(rooms: TablePool) -> None:
    words = words_of("xnet")
    parts = parts_of(an_xnet_turn(), "Kitchen")
    said = {name: value(words) if callable(value) else value for name, value in parts.items()}
    with rooms.table() as (_, visitor):
        assert visitor.page.evaluate(SHOWN_AGAIN, said) == [
            ["news-9#1", "News 9", "#xnet-face-news", True, "9"],
            ["music-5#1", "Music 5", "#xnet-face-music", True, "5"],
            ["art-1#1", "Art 1", "#xnet-face-art", True, "1"],
        ]


@pytest.mark.long
@pytest.mark.parametrize("game", ["cyber-siege", "xnet"])
def test_large_letters_fit_on_a_phone(rooms: TablePool, tmp_path: Path, game: str) -> None:
    with rooms.other(an_evening(tmp_path, game=game, players=3)) as (evening, visitor):
        visitor.speaks("de")
        evening.next_wish(SEAT)
        visitor.page.set_viewport_size(PHONE)
        with visitor.with_letters(2):
            visitor.next_frame()
            assert layout_faults(visitor.page) == []
