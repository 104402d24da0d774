"""The plot of a game, by itself in a browser: round numbers, labels beside one another, lines that differ without
colour."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from page.module_server import serving

PLOT = """
  const { makePlot, minuteTicks, niceTicks, spreadLabels, drawSample, STYLES } =
    await import("/static/views/games/plot.js");
"""
SHOW = (
    PLOT
    + """
  const teams = 6;
  const plot = makePlot();
  document.body.replaceChildren(plot.element);
  document.body.style.width = "360px";
  const wanted = {
    label: "MB over time", xTitle: "Minutes", endUs: 900e6, events: [100e6], places: null, number: String,
    series: Array.from({ length: teams }, (_, at) => ({
      label: `${at + 1}: 900`, points: [[0, 0], [60e6 * (at + 1), 850], [800e6, 900]],
    })),
  };
"""
)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    sheet = "<link rel=stylesheet href=/static/views/games/games.css>"
    with serving(browser, {"/": {"body": f"<!doctype html><title>page</title>{sheet}"}}) as page:
        yield page


def run(page: Page, script: str) -> Any:
    return page.evaluate(f"async () => {{ {script} }}")


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (7, [0, 2, 4, 6, 8]),
        (900, [0, 200, 400, 600, 800, 1000]),
        (1000, [0, 200, 400, 600, 800, 1000]),
        (2125, [0, 500, 1000, 1500, 2000, 2500]),
    ],
)
def test_scores_have_round_numbers_beside_them(page: Page, most: int, ticks: list[int]) -> None:
    assert run(page, f"{PLOT} return niceTicks({most}, 5);") == ticks


@pytest.mark.parametrize(
    ("most", "ticks"), [(0.6, [0, 0.25, 0.5]), (14.7, [0, 5, 10]), (61, [0, 30, 60]), (1000, [0, 480, 960])]
)
def test_minutes_are_round_and_not_too_many(page: Page, most: float, ticks: list[float]) -> None:
    assert run(page, f"{PLOT} return minuteTicks({most}, 3);") == ticks


@pytest.mark.parametrize("wanted", [[10, 10, 10], [90, 95, 100, 100], [100, 0, 50], [0], [-20, 130]])
def test_names_at_the_ends_never_lie_over_one_another_and_keep_their_order(page: Page, wanted: list[float]) -> None:
    placed: list[float] = run(page, f"{PLOT} return spreadLabels({wanted}, 0, 100, 15);")
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    assert all(placed[after] - placed[before] >= 15 for before, after in pairwise(order))
    assert all(0 <= y <= 100 for y in placed)


def test_each_line_has_a_dash_and_a_mark_of_its_own(page: Page) -> None:
    shown = run(
        page,
        SHOW
        + """
        plot.show(wanted);
        const lines = [...document.querySelectorAll("[data-line]")];
        const marks = [...document.querySelectorAll(".plot-mark")];
        return [
            lines.map((line) => getComputedStyle(line).strokeDasharray),
            marks.map(({ firstElementChild: { tagName, attributes } }) =>
                tagName + (attributes.d?.value ?? "").replace(/[-.0-9]/g, "")),
            STYLES,
        ];
        """,
    )
    dashes, marks, styles = shown
    assert len(dashes) == len(marks) == styles
    assert len(set(dashes)) == styles
    assert len(set(marks)) == styles


def test_six_lines_that_end_alike_are_named_within_the_plot(page: Page) -> None:
    boxes: list[dict[str, float]] = run(
        page,
        SHOW
        + """
        plot.show(wanted);
        const whole = document.querySelector("svg").getBoundingClientRect();
        return [...document.querySelectorAll(".plot-name")].map((name) => {
            const { left, right, top, bottom } = name.getBoundingClientRect();
            return { left: left - whole.left, right: whole.right - right, top, bottom };
        });
        """,
    )
    assert len(boxes) == 6
    assert all(box["left"] >= 0 and box["right"] >= 0 for box in boxes)
    tops = sorted(box["top"] for box in boxes)
    height = boxes[0]["bottom"] - boxes[0]["top"]
    assert all(later - before >= height * 0.75 for before, later in pairwise(tops))


def test_a_line_is_where_its_values_are_and_places_have_the_first_on_top(page: Page) -> None:
    rising, places = run(
        page,
        SHOW
        + """
        const d = () => document.querySelector('[data-line="0"]').getAttribute("d");
        plot.show(wanted);
        const rising = d();
        plot.show({ ...wanted, places: 2, series: [{ label: "1", points: [[0, 2], [100e6, 1]] }] });
        return [rising, d()];
        """,
    )

    def heights(path: str) -> list[float]:
        first, *rest = path[1:].split("V")
        return [float(first.partition("H")[0].split(" ")[1]), *(float(each.partition("H")[0]) for each in rest)]

    assert heights(rising) == sorted(heights(rising), reverse=True)
    assert len(heights(rising)) == 3
    assert heights(places)[1] < heights(places)[0]


@pytest.mark.parametrize("values", [[0, 0], [5, 5], [-5, -5], [-3, 0], [-0.5, 0.5], [0, 7]])
def test_whatever_the_values_are_all_of_it_lies_within_the_plot(page: Page, values: list[float]) -> None:
    heights: list[float | None] = run(
        page,
        SHOW
        + f"""
        plot.show({{ ...wanted, series: [{{ label: "1", points: {values}.map((value, at) => [at, value]) }}] }});
        const {{ height }} = document.querySelector("svg").viewBox.baseVal;
        const line = document.querySelector('[data-line="0"]').getAttribute("d");
        return [...line.matchAll(/[ V]([^HV]+)/g)].map(([, y]) => Number(y) / height);
        """,
    )
    assert len(heights) == 2
    assert all(y is not None and 0 < y < 1 for y in heights)
