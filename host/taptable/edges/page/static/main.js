// Where the page begins: what the table is about, its words and faces, the live connection, then the annex if there
// is one. Parts of the page are put together here and know nothing of each other.

import { makeCards, takeSheet } from "./cards.js";
import { makeLive } from "./live.js";
import { makeSlots } from "./slots.js";
import { makeStore } from "./store.js";
import { firstLanguage, makeWords } from "./words.js";

const root = document.documentElement;

const addStyle = (href) =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });

const start = async () => {
  const about = await (await fetch("/about.json")).json();
  const words = makeWords();
  const [sheet] = await Promise.all([
    fetch("/faces.svg").then((answer) => (answer.ok ? answer.text() : "<svg/>")),
    words.use(firstLanguage(about.languages, about.language)),
    ...(about.annex?.styles ?? []).map((style) => addStyle(`/annex/${style}`)),
  ]);
  takeSheet(sheet, document.querySelector("[data-faces]"));

  const store = makeStore();
  const slots = makeSlots(words);
  const cards = makeCards(words);
  const live = makeLive({
    store,
    language: words.language,
    onGone: (gone) => {
      root.dataset.connected = String(!gone);
    },
  });
  words.onChange((language) => {
    live.speak(language);
    store.again();
  });
  store.onSettled(({ boot, revision }) => {
    root.dataset.boot = boot ?? "";
    root.dataset.revision = String(revision);
    root.dataset.ready = String(boot !== null);
  });
  const page = { store, live, words, about, slots, cards };

  for (const module of about.annex?.modules ?? []) {
    const annex = await import(`/annex/${module}`);
    await annex.start(page);
  }
  live.open();
};

start();
