// Entry point of the demo's extension: hands and hardware, over a live connection of its own. It alone connects its
// parts, which don't know each other.

import { html, tool } from "/static/html.js";
import { makeLive, waitBeforeRetry } from "/static/live.js";
import { makeStore } from "/static/store.js";

import { makeActions, makeChoice } from "./choice.js";
import { makeDock } from "./hand.js";
import { makeHardware } from "./hardware.js";
import { KEYS, listenToKeys } from "./keys.js";
import { makeSounder } from "/static/sounder.js";
import { fillBar, makeStart } from "./start.js";
import { makeWorkbench } from "./workbench.js";

const DEMO_PARTS = new Set(["demo", "hardware", "glass", "hands", "tones", "wire"]);
const root = document.documentElement;

/** Fetches what the demo offers, once its server answers. */
const findDemo = async () => {
  for (;;) {
    const answer = await fetch("/demo/about.json").catch(() => ({ ok: false }));
    if (answer.ok) {
      return answer.json();
    }
    await waitBeforeRetry();
  }
};

/** Joins the page's store with the demo's own, so that no part needs to know which connection it depends on. */
const mergeStores = (store, demoStore) => {
  const storeOf = (name) => (DEMO_PARTS.has(name) ? demoStore : store);
  demoStore.onDrawn(({ boot, revision }) => {
    Object.assign(root.dataset, { demoBoot: boot ?? "", demoRevision: revision });
    store.schedule(() => {}); // triggers the page's own listeners of drawn frames
  });
  return {
    ...store,
    on: (name, listener) => storeOf(name).on(name, listener),
    onItems: (name, listener) => storeOf(name).onItems(name, listener),
    get: (name) => storeOf(name).get(name),
    items: (name) => storeOf(name).items(name),
  };
};

/** Starts the extension; `page` is the table's page. */
export const start = async (page) => {
  const demo = await findDemo();
  const demoStore = makeStore();
  const live = makeLive({
    store: demoStore,
    language: page.words.language,
    onConnectionChange: () => {},
    path: "/demo/live",
  });
  page.words.onChange(live.setLanguage);
  page.words.onChange(demoStore.redraw);
  build({ ...page, about: { ...page.about, demo }, live, store: mergeStores(page.store, demoStore) });
  demoStore.on("demo", (now) => now && page.store.setRate(now.speed));
  live.open();
};

/** Builds all parts of the demo. */
const build = (page) => {
  const { store, words, slots } = page;
  const choice = makeChoice(store);
  const actions = makeActions(page);
  const dock = makeDock(page, choice, actions);
  const showNotice = (key) => {
    const said = [{ kind: "notice", text: words.say(key), rule: null }];
    dock.hand()?.answer({ seat: choice.seat, action: "", said, why: null });
  };
  makeHardware(page, choice, actions, () => showNotice("page choose-first"));
  listenToKeys({ choice, actions, dock, store, warn: () => showNotice("page again-new-game") });

  const touch = (address, role) => page.live.ask({ do: "touch", address, role });
  slots.touch = (address, roles) =>
    roles.map((role) => html`<span key=${role}>${tool("touch", words.say(`seats touch-${role}`), () => touch(address, role))}</span>`);

  KEYS.forEach(([key, word]) => slots.keys.add(key, word));

  const sounder = makeSounder({ nowUs: () => store.nowUs(), speed: () => store.rate() });
  store.onItems("tones", (tones, { whole }) => (whole ? sounder.silence() : sounder.play(tones)));
  const welcome = makeStart(page);
  fillBar(page, sounder, welcome.open);
  if (page.about.demo.workbench) {
    makeWorkbench(page);
  }
};
