// The page's views, one at a time, chosen by the address's hash: the table and all others. It must not know what a view
// shows.

import { el, icon } from "./html.js";

const TABLE = "table";

const parseHash = () => {
  const [name, ...rest] = location.hash.slice(1).split("/");
  return { name, rest: rest.join("/") };
};

/** Manages the views in `place` and the table in `table` (null without one), with links in `nav`. */
export const makeViews = ({ nav, place, table, words }) => {
  const views = new Map();
  let currentName = null;

  const link = (name, labelKey, iconName) => {
    const label = words.say(labelKey);
    const attributes = { class: "nav-link", href: `#${name}`, title: label, data: { view: name, wordTitle: labelKey } };
    const element = el("a", attributes, icon(iconName), el("span", { class: "nav-label", "data-word": labelKey }, label));
    nav.append(element);
    return element;
  };
  if (table !== null) {
    views.set(TABLE, { link: link(TABLE, "page view-table", "turn"), element: null });
  }

  /** Shows the view that the address names; the first one if it is unknown. */
  const show = ({ moved }) => {
    const { name: requested, rest } = parseHash();
    const name = views.has(requested) ? requested : views.keys().next().value;
    const view = views.get(name);
    if (currentName !== null && currentName !== name) {
      views.get(currentName).closed?.();
    }
    const hasChanged = currentName !== name;
    currentName = name;
    document.documentElement.dataset.view = name;
    views.forEach((each, key) => {
      each.link.ariaCurrent = key === name ? "page" : null;
      if (each.element !== null) {
        each.element.hidden = key !== name;
      }
    });
    if (table !== null) {
      table.hidden = name !== TABLE;
      place.hidden = name === TABLE;
    }
    view.opened?.(name === requested ? rest : "");
    if (moved && hasChanged) {
      scrollTo(0, 0);
      place.scrollTop = 0;
      (view.element?.querySelector("h2") ?? table).focus({ preventScroll: true });
    }
  };

  addEventListener("hashchange", () => show({ moved: true }));

  return {
    /**
     * Adds a view. `label` is a catalogue key, `icon` an icon's name. `opened(rest)` is called when the view is shown
     * and when the address changes after its name; `closed()` when it is hidden. A `hidden` view has no link.
     */
    add: ({ name, label, icon: iconName, element, opened, closed, hidden = false }) => {
      const title = el("h2", { class: "view-title strong", tabindex: "-1", "data-word": label }, words.say(label));
      const view = el("div", { class: "stack view", data: { view: name } }, title, element);
      view.hidden = true;
      place.append(view);
      const navLink = link(name, label, iconName);
      navLink.hidden = hidden;
      views.set(name, { link: navLink, element: view, opened, closed });
    },
    /** Shows the view that the address names. To be called once all views are added. */
    begin: () => show({ moved: false }),
    go: (name, rest = "") => {
      location.hash = rest === "" ? name : `${name}/${rest}`;
    },
    current: () => currentName,
  };
};

/** Makes the skip link lead to the view that is shown. */
export const setUpSkipLink = () =>
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector("main:not([hidden])").focus();
  });
