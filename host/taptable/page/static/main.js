// Where the page begins: what the table is about, its words and faces, the live connection, then the extension if there
// is one. Parts of the page are put together here and know nothing of each other.

import { makeAccess } from "./access.js";
import { makeActions } from "./actions.js";
import { makeAsking } from "./asking.js";
import { fetchSheet, findTable, markRoot } from "./beginning.js";
import { makeCards, takeSheet } from "./cards.js";
import { makeCloseup } from "./closeup.js";
import { makeCorrect } from "./views/correct.js";
import { makeCounts } from "./counts.js";
import { makeEnding } from "./ending.js";
import { makeFlying } from "./flying.js";
import { makeGuide } from "./guide.js";
import { makeHearing } from "./hearing.js";
import { takeFromBefore } from "./kept.js";
import { makeLive } from "./live.js";
import { makeLog } from "./log.js";
import { makeNames } from "./names.js";
import { makeNotes } from "./notes.js";
import { makeGone, makeAlerts } from "./notices.js";
import { makeOverview } from "./overview.js";
import { makePairing } from "./pairing.js";
import { makeSettings } from "./settings.js";
import { makeSlots } from "./slots.js";
import { makeStore } from "./store.js";
import { makeTable } from "./table.js";
import { makeViews } from "./views.js";
import { makeDecks } from "./views/decks.js";
import { makeGames } from "./views/games.js";
import { makePeople } from "./views/people.js";
import { makeSetup } from "./views/setup.js";
import { firstLanguage, makeWords } from "./words.js";

const root = document.documentElement;
const find = (selector) => document.querySelector(selector);

const addStyle = (href) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });

/** The link at the very beginning leads to what is shown, whichever view that is. */
const leadOn = () => {
  find(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    find("main:not([hidden])").focus();
  });
};

const showGame = ({ store, words, about, cards }) => {
  store.on("table", (table) => {
    if (table !== undefined && table.game !== about.game) {
      location.reload(); // another game has other words, faces and a guide
      return;
    }
    find("[data-mark-game]").textContent = table === undefined ? "" : words.say("page game", table);
    document.title = table === undefined ? "taptable" : words.say("page title", table);
  });
  let told = null;
  store.on("pack", (pack) => {
    if (pack !== undefined && pack !== told) {
      told = pack;
      root.dataset.explained = String(cards.areExplained());
      store.again();
    }
  });
};

const start = async () => {
  const words = makeWords();
  const showGone = makeGone(find("[data-gone]"), words);
  const about = await findTable(async (why, away) => {
    if (away !== null) {
      await words.use(firstLanguage(away.languages, away.language));
    }
    showGone(why);
  });
  showGone("");
  const [sheet] = await Promise.all([
    fetchSheet(),
    words.use(firstLanguage(about.languages, about.language)),
    ...(about.extension?.styles ?? []).map((style) => addStyle(`/extension/${style}`)),
  ]);
  takeSheet(sheet, find("[data-faces]"));

  root.dataset.extension = String(about.extension !== null);
  const store = makeStore();
  const slots = makeSlots(words);
  const cards = makeCards(words, () => store.get("pack"));
  const live = makeLive({
    store,
    language: words.language,
    onHello: (who) => {
      access.told(who);
      if (who.paired) {
        pairing.paired();
      }
    },
    onGone: (why) => {
      root.dataset.connected = String(!why);
      if (why) {
        store.stand();
      }
      showGone(why);
    },
  });
  words.onChange(live.speak); // before anything is asked for in the other language
  const pairing = makePairing({ live, words });
  const access = makeAccess({ pairing: about.pairing, pair: pairing.pair });
  const views = makeViews({ nav: find("[data-nav]"), place: find("[data-views]"), table: find("[data-table]"), words });
  const page = {
    store,
    live,
    words,
    names: makeNames({ store, words }),
    about,
    slots,
    cards,
    views,
    access,
    ...makeAsking(words),
    say: makeNotes(),
    /** Ask the table for something that only who is paired may have done; its answer, `{ok: false}` if that is nobody. */
    ask: async (message) => ((await access.need()) ? live.ask(message) : { ok: false, why: "" }),
  };

  store.onAnew(() => page.say("")); // somebody may be named in it who isn't to be named any more

  makeTable(find("[data-table]"), page);
  views.add({ name: "setup", label: "page view-setup", sign: "setup", ...makeSetup(page) });
  views.add({ name: "people", label: "page view-people", sign: "people", ...makePeople(page) });
  views.add({ name: "cards", label: "page view-cards", sign: "cards", ...makeDecks(page) });
  views.add({ name: "correct", label: "page view-correct", sign: "back", ...makeCorrect(page) });
  views.add({ name: "games", label: "page view-games", sign: "games", ...makeGames(page) });
  slots.tabs.add("log", "page tab-log", makeLog(page));
  const actions = makeActions(page);
  if (actions.isWanted) {
    slots.tabs.add("actions", "page tab-actions", actions.element);
  }
  makeHearing(find("[data-hearing]"), page);
  if (about.extension === null) {
    slots.tabs.add("counts", "page tab-counts", makeCounts(page));
  }
  slots.tabs.add("rows", "page tab-rows", makeOverview(page));
  const guide = makeGuide(page);
  slots.keys = guide.keys;
  slots.tabs.add("guide", "page tab-guide", guide.element);
  makeEnding(page);
  page.settings = makeSettings(find(".bar"), page);
  makeAlerts(find("[data-alerts]"), page);
  makeCloseup(page);
  makeFlying(page);
  showGame(page);
  leadOn();
  words.fill(document);

  words.onChange(store.again);
  markRoot(store, root);

  for (const module of about.extension?.modules ?? []) {
    const extension = await import(`/extension/${module}`);
    await extension.start(page);
  }
  words.fill(document);
  const began = takeFromBefore();
  if (began !== "") {
    location.replace("#table"); // in place of an entry of the history that a question has left
    page.say(began);
  }
  views.begin();
  live.open();
};

start();
