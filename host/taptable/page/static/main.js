// Where the page begins: what the table is about, its words and faces, the live connection, then the extension if there
// is one. Parts of the page are put together here and know nothing of each other.

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
import { makePeople } from "./views/people.js";
import { makeSetup } from "./views/setup/setup.js";
import { firstLanguage, makeWords } from "./words.js";

/** What the table says that is to be seen for as long as it holds. */
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
      location.reload(); // another game has other words, faces and a guide
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

/** What the parts of the page are given; `showGone(why)` shows why there is no table, `words` are there. */
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
  words.onChange(live.setLanguage); // before anything is asked for in the other language
  const pairing = makePairing({ live, words });
  const access = makeAccess({ pairing: about.pairing, pair: pairing.pair });
  const showNote = makeNotes();
  store.onRestart(() => showNote("")); // somebody may be named in it who isn't to be named any more
  /** Ask the table for something that only who is paired may have done; its answer, `{ok: false}` if that is nobody. */
  const ask = async (message) => ((await access.ensurePaired()) ? live.ask(message) : { ok: false, why: "" });
  /** The same; then why it couldn't be done is said, or the `sentence` that it was. */
  const askAndReport = async (message, sentence = "") => {
    const answer = await ask(message);
    if (!answer.ok || sentence !== "") {
      showNote(answer.ok ? sentence : answer.why, answer.ok ? "good" : "bad");
    }
    return answer;
  };
  /** The same; then what the table said of it is said, but for what is to be seen anyway. */
  const act = async (message) => {
    const answer = await askAndReport(message);
    if (answer.ok) {
      const sentences = (answer.said ?? []).filter(({ type }) => !SHOWN_ELSEWHERE.has(type)).map(({ text }) => text);
      showNote(answer.waits ?? sentences.join(" "), answer.waits ? "bad" : "good");
    }
    return answer;
  };
  return {
    store,
    live,
    words,
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

/** Put together all that the page shows. */
const buildPage = (page) => {
  const { views, about, words, store } = page;
  const { tabs } = page.slots;
  makeTable(find("[data-table]"), page);
  views.add({ name: "setup", label: "page view-setup", icon: "setup", ...makeSetup(page) });
  views.add({ name: "people", label: "page view-people", icon: "people", ...makePeople(page) });
  views.add({ name: "cards", label: "page view-cards", icon: "cards", ...makeDecks(page) });
  views.add({ name: "correct", label: "page view-correct", icon: "back", ...makeCorrect(page) });
  views.add({ name: "games", label: "page view-games", icon: "games", ...makeGames(page) });
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
    location.replace("#table"); // in place of an entry of the history that a question has left
    page.showNote(reloadNote);
  }
  page.views.begin();
  page.live.open();
};

start();
