// Tabs, by the ARIA pattern: arrow keys move and open, only the open tab is in the order of focus. And the places that
// the page keeps empty for the extension. It must not know what is shown there.

import { el, keep } from "./html.js";

/** Keep what `view()` gives in `root` while the tab `name` of the page is open. The function returned draws it at once. */
export const keepInTab = (page, name, root, parts, view) => {
  const { tabs } = page.slots;
  const draw = keep(root, page, parts, () => (tabs.shown() === name ? view() : null));
  tabs.onShow(() => page.store.soon(draw));
  return draw;
};

/** Tabs in `list`, panels in `panels`; `labelKey` is a key of the words. */
export const makeTabs = (list, panels, words) => {
  const tabs = new Map();
  const listeners = new Set();
  let open = null;

  const show = (name) => {
    open = name;
    tabs.forEach(({ tab, panel }, key) => {
      const chosen = key === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    });
    listeners.forEach((listener) => listener(name));
  };

  const offered = () => [...tabs].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);

  const step = (event) => {
    const names = offered();
    const at = names.indexOf(open);
    const to = {
      ArrowRight: (at + 1) % names.length,
      ArrowLeft: (at + names.length - 1) % names.length,
      Home: 0,
      End: names.length - 1,
    }[event.key];
    if (to === undefined) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    show(names[to]);
    tabs.get(names[to]).tab.focus();
  };
  list.addEventListener("keydown", step);

  return {
    /** Offer a tab (true) or not; one that isn't offered isn't open either. Nothing happens if there is none. */
    offer: (name, wanted) => {
      const entry = tabs.get(name);
      if (entry === undefined || entry.tab.hidden === !wanted) {
        return;
      }
      entry.tab.hidden = !wanted;
      if (open === name && !wanted) {
        show(offered()[0]);
      }
    },
    add: (name, labelKey, element) => {
      const [id, panelId] = [`tab-${name}`, `panel-${name}`];
      const ofTab = { class: "tab", type: "button", role: "tab", id, "aria-controls": panelId };
      const tab = el("button", { ...ofTab, data: { tab: name, word: labelKey } }, words.say(labelKey));
      tab.addEventListener("click", () => show(name));
      const ofPanel = { class: "tab-panel", role: "tabpanel", id: panelId, "aria-labelledby": id, tabindex: 0 };
      const panel = el("div", { ...ofPanel, data: { panel: name } }, element);
      list.append(tab);
      panels.append(panel);
      tabs.set(name, { tab, panel });
      show(open ?? name);
    },
    show,
    shown: () => open,
    onShow: (listener) => listeners.add(listener),
  };
};

/**
 * The slots: `centre`, `prompt`, `dock`, `bar` (elements), `seat(n)` (the same element for a seat as long as the page is open),
 * `tabs.add(name, labelKey, element)`; `own(seat)` turns the table until that seat sits at the bottom, `mine(seats)`
 * says which seats are played from this page.
 */
export const makeSlots = (words) => {
  const seats = new Map();
  const turned = new Set();
  let own = 1;
  let mine = [];
  const tell = () => turned.forEach((listener) => listener());
  return {
    centre: el("div", { class: "centre-slot", data: { slot: "centre" } }),
    prompt: el("div", { class: "prompt-slot" }),
    dock: document.querySelector('[data-slot="dock"]'),
    bar: document.querySelector('[data-slot="bar"]'),
    tabs: makeTabs(document.querySelector("[data-tabs]"), document.querySelector("[data-panels]"), words),
    seat: (seat) => {
      if (!seats.has(seat)) {
        seats.set(seat, el("div", { class: "seat-slot" }));
      }
      return seats.get(seat);
    },
    own: (seat) => {
      if (seat !== own) {
        own = seat;
        tell();
      }
    },
    ownSeat: () => own,
    mine: (played) => {
      if (String(played) !== String(mine)) {
        mine = [...played];
        tell();
      }
    },
    isMine: (seat) => mine.includes(seat),
    onTurned: (listener) => turned.add(listener),
  };
};
