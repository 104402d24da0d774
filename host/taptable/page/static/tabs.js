// Tabs beside the table, by the ARIA pattern: arrow keys move and open, only the open tab is in the order of focus.
// It must not know what a panel shows.

import { keep } from "./html.js";

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
      const tab = document.createElement("button");
      tab.type = "button";
      tab.className = "tab";
      tab.id = `tab-${name}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `panel-${name}`);
      tab.dataset.tab = name;
      tab.dataset.word = labelKey;
      tab.textContent = words.say(labelKey);
      tab.addEventListener("click", () => show(name));
      const panel = document.createElement("div");
      panel.className = "tab-panel";
      panel.id = `panel-${name}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = 0;
      panel.dataset.panel = name;
      panel.append(element);
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
