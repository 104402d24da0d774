// For learners: which cards would count now, and on which pads, in words and faces. It says what the table knows, and the
// table knows no hand. It must not know the rules behind it.

import { el } from "./elements.js";
import { seatsName } from "./rows.js";

/** A pad that is no seat's, by its name. */
const padName = (words, pad) => words.say(words.has(`page pad-${pad}`) ? `page pad-${pad}` : `pad ${pad}`);

const padsName = (words, pads) => {
  const seats = pads.filter((pad) => typeof pad === "number");
  const others = pads.filter((pad) => typeof pad !== "number");
  const named = seats.length === 0 ? [] : [seatsName(words, seats)];
  return [...named, ...others.map((pad) => padName(words, pad))].join(", ");
};

/** Of kinds that share a face, one that stands for all of them where all count; the others as they are. */
const shownOf = (cards, kinds) => {
  const counting = new Set(kinds);
  const alike = new Map();
  cards.all().forEach(({ id, face }) => alike.set(face, [...(alike.get(face) ?? []), id]));
  const whole = [...alike].filter(([, ids]) => ids.length > 1 && ids.every((id) => counting.has(id)));
  const covered = new Map(whole.flatMap(([face, ids]) => ids.map((id) => [id, face])));
  return [...new Set(kinds.map((kind) => covered.get(kind) ?? kind))];
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
          ...shownOf(cards, kinds).map((kind) => el("li", { data: { kind } }, cards.face(kind, { size: "small" }))),
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
