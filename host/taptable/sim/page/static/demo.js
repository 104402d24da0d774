// Where the demo's half of the page begins: hands and hardware, put together on what the table's half gives. Its parts
// know nothing of each other.

import { makeActions, makeChoice } from "./choice.js";
import { makeDock } from "./hand.js";
import { makeHardware } from "./hardware.js";
import { KEYS, listenToKeys } from "./keys.js";
import { makeSounder } from "./sound.js";
import { fillBar, makeStart } from "./start.js";
import { makeWorkbench } from "./workbench.js";

/** Begin; `page` is what the base gives its extension: `{store, live, words, about, slots, cards}`. */
export const start = (page) => {
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

  const sounder = makeSounder({ nowUs: () => store.nowUs(), speed: () => store.speed() });
  store.onItems("tones", (tones, { whole }) => (whole ? sounder.hush() : sounder.play(tones)));
  const welcome = makeStart(page);
  fillBar(page, sounder, welcome.open);
  makeWorkbench(page);
};
