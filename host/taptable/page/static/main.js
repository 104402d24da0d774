// Entry point of the page: fetches what the table is, loads texts and faces, and builds the live connection, the views
// and the extension. It alone connects the page's parts, which don't know each other.

import { animateMoves, insertSheet, makeCards, makeCloseup } from "./cards.js";
import { makeQuestionDialog } from "./dialogs.js";
import { makeEnding } from "./ending.js";
import { el } from "./html.js";
import { fetchAboutOnceReady, fetchSheet, makeLive, markRoot } from "./live.js";
import { makeAnnouncer, makeLog } from "./log.js";
import { makeNames } from "./names.js";
import { makeAlerts, makeConnectionNotice, makeNotes } from "./notices.js";
import { makeAccess, makePairing } from "./pairing.js";
import { makeSettings } from "./settings.js";
import { makeActions, makeCounts, makeGuide, makeOverview } from "./side.js";
import { takeReloadNote } from "./storage.js";
import { makeStore } from "./store.js";
import { makeTable } from "./table/table.js";
import { makeSlots } from "./tabs.js";
import { makeViews, setUpSkipLink } from "./views.js";
import { makeCorrect } from "./views/correct/correct.js";
import { makeDecks } from "./views/decks/decks.js";
import { makeGames } from "./views/games/games.js";
import { makeParts } from "./views/parts.js";
import { makePeople } from "./views/people.js";
import { makeSetup } from "./views/setup/setup.js";
import { firstLanguage, makeWords } from "./words.js";

/** Types of sentences that the page shows elsewhere for as long as they hold. */
const SHOWN_ELSEWHERE = new Set(["check-team", "check-hand", "consent-asked"]);
const root = document.documentElement;
const find = (selector) => document.querySelector(selector);

const addStyle = (href) =>
  new Promise((resolve) => {
    const link = el("link", { rel: "stylesheet", href });
    ["load", "error"].forEach((name) => link.addEventListener(name, resolve));
    document.head.append(link);
  });

const showGame = ({ store, words, about, cards }) => {
  store.on("table", (table) => {
    if (table !== undefined && table.game !== about.game) {
      location.reload(); // another game has other texts, faces and guide
      return;
    }
    find("[data-mark-game]").textContent = table === undefined ? "" : words.say("page game", table);
    document.title = table === undefined ? "taptable" : words.say("page title", table);
  });
  let shownPack = null;
  store.on("pack", (pack) => {
    if (pack !== undefined && pack !== shownPack) {
      shownPack = pack;
      root.dataset.explained = String(cards.haveExplanations());
      store.redraw();
    }
  });
};

/**
 * Makes the object that all parts of the page receive. `showConnectionNotice(why)` shows why there is no table; `words`
 * are loaded.
 */
const makePage = (about, words, showConnectionNotice) => {
  const store = makeStore();
  const live = makeLive({
    store,
    language: words.language,
    onHello: (hello) => {
      access.update(hello);
      if (hello.paired) {
        pairing.finish();
      }
    },
    onConnectionChange: (why) => {
      root.dataset.connected = String(!why);
      if (why) {
        store.stopClock();
      }
      showConnectionNotice(why);
    },
  });
  words.onChange(live.setLanguage); // before any request in the new language
  const pairing = makePairing({ live, words, store });
  const access = makeAccess({ pairing: about.pairing, pair: pairing.pair });
  const showNote = makeNotes();
  store.onRestart(() => showNote("")); // the note may name somebody whose name has been redacted since
  /**
   * Sends a request that needs a paired device, after asking to pair. Returns the answer, `{ok: false}` if nobody
   * pairs.
   */
  const ask = async (message) => ((await access.ensurePaired()) ? live.ask(message) : { ok: false, why: "" });
  /** Like `ask`; then shows `sentence`, or why the request failed. */
  const askAndReport = async (message, sentence = "") => {
    const answer = await ask(message);
    if (!answer.ok || sentence !== "") {
      showNote(answer.ok ? sentence : answer.why, answer.ok ? "good" : "bad");
    }
    return answer;
  };
  /** Like `askAndReport`; then shows the table's own sentences, except those shown elsewhere. */
  const act = async (message) => {
    const answer = await askAndReport(message);
    if (answer.ok) {
      const sentences = (answer.said ?? []).filter(({ type }) => !SHOWN_ELSEWHERE.has(type)).map(({ text }) => text);
      showNote(answer.waits ?? sentences.join(" "), answer.waits ? "bad" : "good");
    }
    return answer;
  };
  /** Returns the members, or null: for visitors who aren't paired, and while seats are assigned. */
  const askForMembers = async () => {
    const isAsked = access.isPaired() && !store.get("parts")?.step;
    return isAsked ? ((await live.ask({ do: "members" })).members ?? null) : null;
  };
  return {
    store,
    live,
    words,
    askForMembers,
    names: makeNames({ store, words }),
    about,
    slots: makeSlots(words),
    cards: makeCards(words, () => store.get("pack")),
    views: makeViews({ nav: find("[data-nav]"), place: find("[data-views]"), table: find("[data-table]"), words }),
    access,
    ...makeQuestionDialog(words),
    showNote,
    ask,
    askAndReport,
    act,
  };
};

/** Builds all parts of the page. */
const buildPage = (page) => {
  const { views, about, words, store } = page;
  const { tabs } = page.slots;
  makeTable(find("[data-table]"), page);
  views.add({ name: "setup", label: "page view-setup", icon: "setup", ...makeSetup(page) });
  views.add({ name: "people", label: "page view-people", icon: "people", ...makePeople(page) });
  views.add({ name: "cards", label: "page view-cards", icon: "cards", ...makeDecks(page) });
  views.add({ name: "correct", label: "page view-correct", icon: "back", ...makeCorrect(page) });
  views.add({ name: "games", label: "page view-games", icon: "games", ...makeGames(page) });
  views.add({ name: "parts", label: "page view-parts", icon: "gone", ...makeParts(page) });
  tabs.add("log", "page tab-log", makeLog(page));
  if (about.controls.length > 0) {
    tabs.add("actions", "page tab-actions", makeActions(page));
  }
  makeAnnouncer(find("[data-announcer]"), page);
  if (about.extension === null) {
    tabs.add("counts", "page tab-counts", makeCounts(page));
  }
  tabs.add("rows", "page tab-rows", makeOverview(page));
  const guide = makeGuide(page);
  page.slots.keys = guide.keys;
  tabs.add("guide", "page tab-guide", guide.element);
  makeEnding(page);
  page.settings = makeSettings(find(".bar"), page);
  makeAlerts(find("[data-alerts]"), page);
  makeCloseup(page);
  animateMoves(page);
  showGame(page);
  setUpSkipLink();
  words.fill(document);
  words.onChange(store.redraw);
  markRoot(store, root);
};

const start = async () => {
  const words = makeWords();
  const showConnectionNotice = makeConnectionNotice(find("[data-gone]"), words);
  const about = await fetchAboutOnceReady(async (why, page) => {
    if (page !== null) {
      await words.use(firstLanguage(page.languages, page.language));
    }
    showConnectionNotice(why);
  });
  showConnectionNotice("");
  const [sheet] = await Promise.all([
    fetchSheet(),
    words.use(firstLanguage(about.languages, about.language)),
    ...(about.extension?.styles ?? []).map((style) => addStyle(style)),
  ]);
  insertSheet(sheet, find("[data-faces]"));
  root.dataset.extension = String(about.extension !== null);
  const page = makePage(about, words, showConnectionNotice);
  buildPage(page);
  for (const module of about.extension?.modules ?? []) {
    const { start: extend } = await import(module);
    await extend(page);
  }
  words.fill(document);
  const reloadNote = takeReloadNote();
  if (reloadNote !== "") {
    location.replace("#table"); // replaces the history entry that a dialog has left
    page.showNote(reloadNote);
  }
  page.views.begin();
  page.live.open();
};

start();
