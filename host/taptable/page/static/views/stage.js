// The table on which a game that was played is shown again, with the words and faces of its game, which need not be the
// one that is played now. It must not know which step is shown, nor how it is asked for.

import { makeCards, takeSheet } from "../cards.js";
import { el } from "../elements.js";
import { makeNames } from "../names.js";
import { makeStore } from "../store.js";
import { makeTable } from "../table.js";
import { makeWords } from "../words.js";

/** What a table is built with where there are no hands at it: nothing in its slots, and seat 1 at the bottom. */
const noSlots = () => ({
  centre: el("div", { class: "centre-slot" }),
  prompt: el("div", { class: "prompt-slot" }),
  seat: () => el("div", { class: "seat-slot" }),
  ownSeat: () => 1,
  isMine: () => false,
  onTurned: () => {},
});

/** The words and the faces of another game, once they are there; `sheets` is where faces are kept. */
const borrow = (game, page, store, sheets) => {
  const words = makeWords(game);
  const prefix = `${game}-`;
  const sheet = el("div", {});
  sheets.append(sheet);
  const faces = async () => {
    const answer = await fetch(`/faces/${game}.svg`);
    takeSheet(answer.ok ? await answer.text() : "<svg/>", sheet, prefix);
  };
  page.words.onChange((language) => words.use(language).then(store.again));
  return {
    words,
    cards: makeCards(words, () => store.get("pack"), prefix),
    ready: Promise.all([words.use(page.words.language()), faces()]),
  };
};

/** A stage for games of one kind: `{cloth, store, ready}`; what is shown is applied to the store once it is ready. */
const makeStage = (page, game, sheets) => {
  const store = makeStore();
  const cloth = el("div", { class: "table replay-table", role: "group", data: { replayTable: "" } });
  const own = game === page.about.game;
  const { words, cards, ready } = own
    ? { words: page.words, cards: makeCards(page.words, () => store.get("pack")), ready: Promise.resolve() }
    : borrow(game, page, store, sheets);
  const names = makeNames({ store, words });
  makeTable(cloth, { store, words, cards, names, about: { ...page.about, extension: null }, slots: noSlots() });
  return { cloth, store, ready };
};

/** The stages of `page`, each made when a game of its kind is first shown: `stages(game)`. */
export const makeStages = (page) => {
  const sheets = el("div", { class: "sheet", hidden: true });
  document.body.append(sheets);
  const made = new Map();
  return (game) => {
    if (!made.has(game)) {
      made.set(game, makeStage(page, game, sheets));
    }
    return made.get(game);
  };
};
