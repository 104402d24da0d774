// Cards that are lost: which they are, which one is lost now (by its kind, then by where the table thinks it is), and
// which was found again. It must not know what a lost card means in the game.

import { kindOf } from "../cards.js";
import { el, setText } from "../elements.js";
import { placeName, seatsName } from "../rows.js";
import { cardName } from "./checking.js";
import { keepingFocus } from "./focus.js";

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);

/** Where the table thinks each card lies: the cards by place, as `[title, cards]`. */
const placesOf = ({ store, words }, kind, count) => {
  const lost = new Set(store.get("lost")?.cards ?? []);
  const left = new Set(numbers(count).map((number) => `${kind}#${number}`).filter((card) => !lost.has(card)));
  const take = (cards) => cards.filter((card) => kindOf(card) === kind && left.delete(card));
  const places = (store.get("teams") ?? []).flatMap((team) =>
    team.rows.map(({ place, cards }) => [
      words.say("page correct-in-row", { seats: seatsName(words, team.seats), place: placeName(words, place) }),
      take(cards),
    ]),
  );
  places.push([words.say("page correct-on-pile"), take((store.get("piles")?.heaps ?? []).flatMap(({ cards }) => cards))]);
  places.push([words.say("page correct-hidden"), [...left]]);
  return places.filter(([, cards]) => cards.length > 0);
};

/** The step as an element; `does` asks the table. */
export const makeLost = (page, does) => {
  const { store, words, cards, views } = page;
  const back = el("a", { class: "tool back", href: "#correct", "data-word": "page correct-back" });
  const title = el("h3", { class: "step-title", tabindex: "-1", "data-word": "page correct-lost" });
  const lost = el("ul", { class: "lost-cards", data: { lostCards: "" } });
  const none = el("p", { class: "empty", "data-word": "page correct-none-lost" });
  const hint = el("p", { class: "empty", "data-word": "page correct-found-hint" });
  const ask = el("p", { class: "step-ask" });
  const why = el("p", { class: "remedy-why", data: { why: "" } });
  const kinds = el("ul", { class: "kinds" });
  const places = el("div", { class: "places" });
  const parts = [back, title, none, lost, hint, ask, why, kinds, places];
  const element = el("section", { class: "step", data: { step: "lost" } }, ...parts);
  let chosen = null;

  const mark = async (card) => {
    const name = cardName(cards, card);
    const yes = await page.confirm({
      title: words.say("page correct-lost-sure", { card: name }),
      more: words.say("page correct-lost-means"),
      yes: words.say("page correct-lost-yes"),
      no: words.say("page correct-no"),
    });
    if (yes && (await does({ do: "lost", card })).ok) {
      choose(null);
      views.go("correct");
    }
  };

  const kindButton = ([kind]) => {
    const button = el(
      "button",
      { class: "kind", type: "button", data: { kind } },
      cards.face(`${kind}#1`, { size: "mini" }),
      el("span", { class: "kind-name", "aria-hidden": "true" }, cards.name(kind)),
    );
    button.addEventListener("click", () => choose(kind));
    return el("li", {}, button);
  };

  const cardButton = (card) => {
    const button = el("button", { class: "tool number", type: "button", data: { lose: card } }, card.split("#")[1]);
    button.setAttribute("aria-label", cardName(cards, card));
    button.addEventListener("click", () => mark(card));
    return el("li", {}, button);
  };

  const drawPlaces = () => {
    const count = new Map(store.get("lost")?.kinds ?? []).get(chosen) ?? 0;
    const other = el(
      "button",
      { class: "tool", type: "button", data: { do: "other-kind" } },
      words.say("page correct-other-kind"),
    );
    other.addEventListener("click", () => choose(null));
    places.replaceChildren(
      ...placesOf(page, chosen, count).map(([name, found]) =>
        el("section", { class: "place" }, el("h4", {}, name), el("ul", { class: "numbers" }, ...found.map(cardButton))),
      ),
      el("p", { class: "empty" }, words.say("page correct-any")),
      other,
    );
  };

  const draw = () => {
    const part = store.get("lost");
    const reason = store.get("possible")?.verbs.lost ?? null;
    lost.replaceChildren(
      ...(part?.cards ?? []).map((card) => {
        const found = words.say("page correct-found");
        const button = el("button", { class: "tool", type: "button", data: { recover: card } }, found);
        button.setAttribute("aria-label", words.say("page correct-found-of", { card: cardName(cards, card) }));
        button.addEventListener("click", () => does({ do: "recovered", card }));
        const name = el("span", { class: "tick-name" }, cardName(cards, card));
        return el("li", {}, cards.face(card, { size: "mini" }), name, button);
      }),
    );
    none.hidden = (part?.cards ?? []).length > 0;
    hint.hidden = !none.hidden;
    why.hidden = reason === null;
    setText(why, reason ?? "");
    kinds.hidden = chosen !== null || reason !== null;
    places.hidden = chosen === null || reason !== null;
    ask.hidden = reason !== null;
    const asked = chosen === null ? ["page correct-which-kind"] : ["page correct-which", { card: cards.name(chosen) }];
    setText(ask, words.say(...asked));
    if (chosen === null) {
      kinds.replaceChildren(...(part?.kinds ?? []).map(kindButton));
    } else {
      drawPlaces();
    }
  };

  const choose = (kind) => {
    chosen = kind;
    draw();
    (kind === null ? title : places.querySelector("button")).focus();
  };
  let drawn = "";
  const drawAgain = () => {
    const told = ["lost", "teams", "piles"].map((part) => store.get(part));
    const now = JSON.stringify([told, store.get("possible")?.verbs.lost, words.language()]);
    if (now !== drawn) {
      drawn = now;
      keepingFocus(element, draw);
    }
  };
  ["lost", "possible", "teams", "piles"].forEach((part) => store.on(part, () => store.soon(drawAgain)));
  return { element, begin: () => choose(null) };
};
