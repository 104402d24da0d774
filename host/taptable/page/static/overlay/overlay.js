// Where the overlay begins: what its address asks for, what the table is about, its words and faces, and the same live
// connection as that of anybody who only watches. While the table is away nothing is shown, not even a sentence.

import { makeCards, takeSheet } from "../cards.js";
import { beforeRetry, fetchSheet, findTable, makeLive, markRoot } from "../live.js";
import { makeNames } from "../names.js";
import { makeStore } from "../store.js";
import { makeWords } from "../words.js";
import { makeBroadcast, readAddress } from "./broadcast.js";

const root = document.documentElement;
const find = (selector) => document.querySelector(selector);

const start = async () => {
  const about = await findTable(async () => {});
  const wanted = readAddress(location.search, about);
  const store = makeStore();
  const words = makeWords();
  const cards = makeCards(words, () => store.get("pack"));
  const loadGame = async () => {
    for (;;) {
      try {
        const [sheet] = await Promise.all([fetchSheet(), words.use(wanted.language)]);
        takeSheet(sheet, find("[data-faces]"));
        return;
      } catch {
        await beforeRetry(); // the table has gone again meanwhile
      }
    }
  };
  await loadGame();

  const place = find("[data-overlay]");
  let connected = false;
  let loading = false;
  const show = () => {
    place.hidden = loading || !connected;
    root.dataset.connected = String(connected);
  };
  const live = makeLive({
    store,
    language: words.language,
    inPublic: true,
    onGone: (why) => {
      connected = !why;
      if (why) {
        store.stand();
      }
      show();
    },
  });
  let { game } = about;
  store.on("table", async (table) => {
    if (table !== undefined && table.game !== game) {
      ({ game } = table);
      loading = true;
      show();
      await loadGame();
      loading = false;
      show();
      store.again();
    }
  });
  makeBroadcast(place, { store, words, cards, names: makeNames({ store, words }), wanted });
  markRoot(store, root);
  live.open();
};

start();
