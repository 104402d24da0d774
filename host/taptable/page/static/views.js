// The views of the page, one at a time, by the hash of the address: the table, and whatever else there is to do. It
// must not know what a view shows.

import { el, icon } from "./html.js";

const TABLE = "table";

const parseHash = () => {
  const [name, ...rest] = location.hash.slice(1).split("/");
  return { name, rest: rest.join("/") };
};

/**
 * The views: those in `place`, which is the second half of the page, and the table in `table`, which is the first one, or
 * null where there is none. Links to them go into `nav`.
 */
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

  /** Show what the address names; the first if there is no such view. */
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
     * Add a view: `element` holds it, `label` is a key of the words, `sign` a sign's name. `opened(rest)` is called when
     * it is shown, with what stands behind its name in the address, and whenever that changes; `closed()` when it isn't
     * shown any more. To one that is `hidden` no link leads here.
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
    /** All views are there: show what the address names. */
    begin: () => show({ moved: false }),
    go: (name, rest = "") => {
      location.hash = rest === "" ? name : `${name}/${rest}`;
    },
    current: () => currentName,
  };
};

/** The link at the very beginning leads to what is shown, whichever view that is. */
export const setUpSkipLink = () =>
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector("main:not([hidden])").focus();
  });
