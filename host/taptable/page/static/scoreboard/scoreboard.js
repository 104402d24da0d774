// Entry point of the scoreboard for a screen in the middle of the table: fetches what the table is, loads texts and
// faces, and connects as a viewer. It says when the table is away, follows it to another game, language or version, and
// keeps the screen awake. It sends no request of its own, so nothing at the table changes by it.

import { insertSheet, makeCards } from "../cards.js";
import { fetchAboutOnceReady, fetchSheet, makeLive, markRoot, waitBeforeRetry } from "../live.js";
import { makeNames } from "../names.js";
import { makeConnectionNotice } from "../notices.js";
import { makeStore } from "../store.js";
import { makeWords } from "../words.js";
import { makeAwake } from "./awake.js";
import { makeBoard } from "./board.js";
import { makeSpeaker } from "./speaker.js";

const root = document.documentElement;
const find = (selector) => document.querySelector(selector);
const options = new URLSearchParams(location.search);

/** Returns the language in the page's address, else the table's: the screen is everybody's at the table. */
const languageOf = ({ languages, language }) =>
  languages.includes(options.get("lang")) ? options.get("lang") : language;

/** Calls `load()` until it succeeds. */
const untilLoaded = async (load) => {
  for (;;) {
    try {
      return await load();
    } catch {
      await waitBeforeRetry(); // the table is gone again
    }
  }
};

const start = async () => {
  const words = makeWords();
  const showConnectionNotice = makeConnectionNotice(find("[data-gone]"), words);
  const about = await fetchAboutOnceReady(async (why, page) => {
    if (page !== null) {
      await words.use(languageOf(page));
    }
    showConnectionNotice(why);
  });
  showConnectionNotice("");
  const store = makeStore();
  const cards = makeCards(words, () => store.get("pack"));
  const loadGame = (language) =>
    untilLoaded(async () => {
      const [sheet] = await Promise.all([fetchSheet(), words.use(language)]);
      insertSheet(sheet, find("[data-faces]"));
    });
  await loadGame(languageOf(about));

  let lost = false;
  /** After the table was away, takes over what may have changed there. */
  const returnToTable = async () => {
    const now = await fetchAboutOnceReady(async () => {});
    if (now.version !== about.version) {
      location.reload(); // this page may not understand the newer one
    } else if (languageOf(now) !== words.language()) {
      await untilLoaded(() => words.use(languageOf(now)));
      live.setLanguage(words.language());
      store.redraw();
    }
  };
  const live = makeLive({
    store,
    language: words.language,
    inPublic: true,
    onConnectionChange: (why) => {
      root.dataset.connected = String(!why);
      showConnectionNotice(why);
      if (why) {
        lost = true;
        store.stopClock();
      } else if (lost) {
        lost = false;
        returnToTable();
      }
    },
  });
  let { game } = about;
  store.on("table", async (table) => {
    if (table !== undefined && table.game !== game) {
      ({ game } = table);
      await loadGame(words.language());
      store.redraw();
    }
  });
  const place = find("[data-scoreboard]");
  const speaker = makeSpeaker({ store, words, live, tunes: about.tunes, ticks: about.ticks, asked: options.has("sound") });
  makeBoard(place, { store, words, cards, names: makeNames({ store, words }), speaker, awake: makeAwake() });
  markRoot(store, root);
  live.open();
};

start();
