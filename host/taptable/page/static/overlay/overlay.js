// Entry point of the overlay: parses its address, fetches what the table is, loads texts and faces, and connects as a
// viewer. Without a connection it shows nothing at all.

import { insertSheet, makeCards } from "../cards.js";
import { fetchAboutOnceReady, fetchSheet, makeLive, markRoot, waitBeforeRetry } from "../live.js";
import { makeNames } from "../names.js";
import { makeStore } from "../store.js";
import { makeWords } from "../words.js";
import { makeBroadcast, readAddress } from "./broadcast.js";

const root = document.documentElement;
const find = (selector) => document.querySelector(selector);

const start = async () => {
  const about = await fetchAboutOnceReady(async () => {});
  const options = readAddress(location.search, about);
  const store = makeStore();
  const words = makeWords();
  const cards = makeCards(words, () => store.get("pack"));
  const loadGame = async () => {
    for (;;) {
      try {
        const [sheet] = await Promise.all([fetchSheet(), words.use(options.language)]);
        insertSheet(sheet, find("[data-faces]"));
        return;
      } catch {
        await waitBeforeRetry(); // the table is gone again
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
    onConnectionChange: (why) => {
      connected = !why;
      if (why) {
        store.stopClock();
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
      store.redraw();
    }
  });
  makeBroadcast(place, { store, words, cards, names: makeNames({ store, words }), wanted: options });
  markRoot(store, root);
  live.open();
};

start();
