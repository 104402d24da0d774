// Every team's rows at length: each card with its name, for small screens and for who reads instead of looks. It must
// not know the table's picture.

import { el } from "./elements.js";
import { countChips, lineChip, markLabel, placeName, seatsName, tokenOf } from "./rows.js";

const rowOf = (words, cards, row, mark) =>
  el(
    "li",
    { class: "row", data: { place: row.place } },
    el(
      "h4",
      { class: "row-name" },
      placeName(words, row.place),
      tokenOf(words, row),
      mark === undefined ? null : el("span", { class: "row-count" }, `${mark.have}/${mark.need}`),
      mark === undefined && row.cards.length > 0
        ? el("span", { class: "row-top" }, cards.name(row.cards[row.cards.length - 1]))
        : null,
      mark?.secured ? el("span", { class: "row-secured" }, words.say("page secured")) : null,
      mark === undefined ? null : el("span", { class: "unseen" }, markLabel(words, mark)),
    ),
    row.cards.length === 0
      ? el("p", { class: "row-empty" }, words.say("page row-empty"))
      : el("ul", { class: "row-cards" }, ...row.cards.map((card) => el("li", {}, cards.face(card, { size: "mini" })))),
  );

const teamOf = (words, names, cards, team) =>
  el(
    "section",
    { class: "overview-team" },
    el(
      "h3",
      { class: "overview-name" },
      el("span", {}, seatsName(words, team.seats)),
      ...team.seats
        .filter((seat) => names.of(seat) !== "")
        .map((seat) => el("span", { class: "overview-player" }, names.of(seat))),
      el("span", { class: "overview-score" }, `${team.score} ${words.say(`unit ${team.unit}`)}`),
      lineChip(words, team),
    ),
    team.counts.length === 0 ? null : el("p", { class: "tallies" }, ...countChips(words, team)),
    el(
      "ul",
      { class: "overview-rows" },
      ...team.rows.map((row) => rowOf(words, cards, row, team.marks.find((mark) => mark.name === row.place))),
    ),
  );

/** The overview; drawn only while its panel is open. */
export const makeOverview = ({ store, words, names, cards, slots }) => {
  const element = el("div", { class: "overview" });
  const draw = () => {
    if (slots.tabs.shown() === "rows") {
      element.replaceChildren(...(store.get("teams") ?? []).map((team) => teamOf(words, names, cards, team)));
    }
  };
  ["teams", "names"].forEach((name) => store.on(name, draw));
  slots.tabs.onShow((name) => name === "rows" && store.soon(draw));
  return element;
};
