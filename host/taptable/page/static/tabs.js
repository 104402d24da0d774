// Tabs by the ARIA pattern: arrow keys move and open, only the open tab is in the tab order. Also the slots that the
// page leaves for the extension. It must not know their content.

import { drawOnChange, el } from "./html.js";

/** Renders `view()` into `root` while the tab `name` is open. Returns a function that renders at once. */
export const drawInTab = (page, name, root, parts, view) => {
  const { tabs } = page.slots;
  const draw = drawOnChange(root, page, parts, () => (tabs.current() === name ? view() : null));
  tabs.onShow(() => page.store.schedule(draw));
  return draw;
};

/** Makes tabs in `list` with panels in `panels`; `labelKey` is a catalogue key. */
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

  const visibleNames = () => [...tabs].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);

  const moveByKey = (event) => {
    const names = visibleNames();
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
  list.addEventListener("keydown", moveByKey);

  return {
    /** Shows or hides a tab; hiding the open one opens the first. Ignores unknown names. */
    setVisible: (name, isVisible) => {
      const entry = tabs.get(name);
      if (entry === undefined || entry.tab.hidden === !isVisible) {
        return;
      }
      entry.tab.hidden = !isVisible;
      if (open === name && !isVisible) {
        show(visibleNames()[0]);
      }
    },
    add: (name, labelKey, element) => {
      const [id, panelId] = [`tab-${name}`, `panel-${name}`];
      const tabAttributes = { class: "tab", type: "button", role: "tab", id, "aria-controls": panelId };
      const tab = el("button", { ...tabAttributes, data: { tab: name, word: labelKey } }, words.say(labelKey));
      tab.addEventListener("click", () => show(name));
      const panelAttributes = { class: "tab-panel", role: "tabpanel", id: panelId, "aria-labelledby": id, tabindex: 0 };
      const panel = el("div", { ...panelAttributes, data: { panel: name } }, element);
      list.append(tab);
      panels.append(panel);
      tabs.set(name, { tab, panel });
      show(open ?? name);
    },
    show,
    current: () => open,
    onShow: (listener) => listeners.add(listener),
  };
};

/**
 * Makes the extension's slots: elements `centre`, `prompt`, `dock`, `bar`; `seat(n)`, one element per seat for the
 * page's lifetime; and `tabs`. `setOwnSeat(seat)` turns the table until that seat is at the bottom;
 * `setPlayedSeats(seats)` names the seats played from this page. `touch(address, roles)` returns what touches a part
 * while seats are assigned; the extension may replace it.
 */
export const makeSlots = (words) => {
  const seats = new Map();
  const listeners = new Set();
  let ownSeat = 1;
  let playedSeats = [];
  const notify = () => listeners.forEach((listener) => listener());
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
    setOwnSeat: (seat) => {
      if (seat !== ownSeat) {
        ownSeat = seat;
        notify();
      }
    },
    ownSeat: () => ownSeat,
    setPlayedSeats: (played) => {
      if (String(played) !== String(playedSeats)) {
        playedSeats = [...played];
        notify();
      }
    },
    touch: () => null,
    isMine: (seat) => playedSeats.includes(seat),
    onSeatsChange: (listener) => listeners.add(listener),
  };
};
