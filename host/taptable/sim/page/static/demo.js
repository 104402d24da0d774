// Where the demo's half of the page begins: hands and hardware, put together on what the table's half gives, over a
// live connection of its own. Its parts know nothing of each other.

import { beforeRetry, makeLive } from "/static/live.js";
import { makeStore } from "/static/store.js";

import { makeActions, makeChoice } from "./choice.js";
import { makeDock } from "./hand.js";
import { makeHardware } from "./hardware.js";
import { KEYS, listenToKeys } from "./keys.js";
import { makeSounder } from "./sound.js";
import { fillBar, makeStart } from "./start.js";
import { makeWorkbench } from "./workbench.js";

const OURS = new Set(["demo", "hardware", "glass", "hands", "tones", "wire"]);
const root = document.documentElement;

/** What the demo is about, once it answers. */
const findDemo = async () => {
  for (;;) {
    const answer = await fetch("/demo/about.json").catch(() => ({ ok: false }));
    if (answer.ok) {
      return answer.json();
    }
    await beforeRetry();
  }
};

/** The store of the table's page and the demo's `own` as one: nobody needs to know on which connection a part comes. */
const together = (store, own) => {
  const of = (name) => (OURS.has(name) ? own : store);
  own.onSettled(({ boot, revision }) => {
    Object.assign(root.dataset, { demoBoot: boot ?? "", demoRevision: revision });
    store.soon(() => {}); // for whoever looks at what has been drawn
  });
  return {
    ...store,
    on: (name, listener) => of(name).on(name, listener),
    onItems: (name, listener) => of(name).onItems(name, listener),
    get: (name) => of(name).get(name),
    items: (name) => of(name).items(name),
  };
};

/** Begin; `page` is what the table's half has put together. */
export const start = async (page) => {
  const demo = await findDemo();
  const own = makeStore();
  const live = makeLive({ store: own, language: page.words.language, onGone: () => {}, path: "/demo/live" });
  page.words.onChange(live.speak);
  page.words.onChange(own.again);
  build({ ...page, about: { ...page.about, demo }, live, store: together(page.store, own) });
  own.on("demo", (now) => now && page.store.setRate(now.speed));
  live.open();
};

/** Put together all that the demo shows. */
const build = (page) => {
  const { store, words, slots } = page;
  const choice = makeChoice(store);
  const actions = makeActions(page);
  const dock = makeDock(page, choice, actions);
  const tell = (key) => {
    const said = [{ kind: "notice", text: words.say(key), rule: null }];
    dock.hand()?.answer({ seat: choice.seat, action: "", said, why: null });
  };
  makeHardware(page, choice, actions, () => tell("page choose-first"));
  listenToKeys({ choice, actions, dock, store, warn: () => tell("page again-new-game") });

  KEYS.forEach(([key, word]) => slots.keys.add(key, word));

  const sounder = makeSounder({ nowUs: () => store.nowUs(), speed: () => store.rate() });
  store.onItems("tones", (tones, { whole }) => (whole ? sounder.hush() : sounder.play(tones)));
  const welcome = makeStart(page);
  fillBar(page, sounder, welcome.open);
  if (page.about.demo.workbench) {
    makeWorkbench(page);
  }
};
