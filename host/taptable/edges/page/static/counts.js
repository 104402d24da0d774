// For learners: which cards would count now, and on which pads, in words and faces. It says what the table knows, and the
// table knows no hand. It must not know the rules behind it.

import { el } from "./elements.js";
import { seatsName } from "./rows.js";

const DISCARD = "discard";

const padsName = (words, pads) => {
  const seats = pads.filter((pad) => pad !== DISCARD);
  const named = seats.length === 0 ? [] : [seatsName(words, seats)];
  return [...named, ...(seats.length < pads.length ? [words.say("page pad-discard")] : [])].join(", ");
};

const groupOf = (words, cards, { pads, kinds, any }) =>
  el(
    "section",
    { class: "counts-group", data: { pads: pads.join(" ") } },
    el("h3", { class: "counts-pads" }, padsName(words, pads)),
    any
      ? el("p", { class: "counts-any" }, words.say("page counts-any"))
      : el(
          "ul",
          { class: "counts-cards" },
          ...kinds.map((kind) => el("li", { data: { kind } }, cards.face(kind, { size: "small" }))),
        ),
  );

/** The list of what counts; drawn only while its panel is open. */
export const makeCounts = ({ store, words, cards, slots }) => {
  const groups = el("div", { class: "counts-groups" });
  const element = el(
    "div",
    { class: "counts" },
    el("p", { class: "counts-title", "data-word": "page counts-title" }),
    groups,
  );
  const draw = () => {
    if (slots.tabs.shown() !== "counts") {
      return;
    }
    const told = store.get("counts") ?? [];
    groups.replaceChildren(
      ...(told.length === 0
        ? [el("p", { class: "empty" }, words.say("page counts-none"))]
        : told.map((group) => groupOf(words, cards, group))),
    );
  };
  store.on("counts", draw);
  slots.tabs.onShow((name) => name === "counts" && store.soon(draw));
  return element;
};
