// Building blocks of all views. A view is a function that returns markup for the current state. Preact changes only
// what differs from the document, so focus and text being typed stay. Also elements outside of views, and the page's
// icons. It must not know what a view shows.

import htm from "./vendor/htm.js";
import { h, render } from "./vendor/preact.js";

/** Returns markup for a tagged template. */
export const html = htm.bind(h);

/** Renders markup into `root`. */
export const draw = (root, markup) => render(markup, root);

/** Returns markup as an element, for places outside of views. */
export const toElement = (markup) => {
  const place = document.createElement("div");
  render(markup, place);
  return place.firstChild;
};

/** Puts an element made outside of views among markup. */
export const embed = (node) => {
  const attach = (place) => place !== null && place.firstChild !== node && place.replaceChildren(node);
  return html`<span class="root" ref=${attach}></span>`;
};

/**
 * Renders `view()` into `root` in the frame after one of the `parts` or the language changes. Returns a function that
 * renders at once.
 */
export const drawOnChange = (root, { store }, parts, view) => {
  const draw = () => render(view(), root);
  const scheduleDraw = () => store.schedule(draw);
  parts.forEach((part) => store.on(part, scheduleDraw));
  return draw;
};

/** A button. `hook` identifies it (`data-do`); `attributes` are added. */
export const tool = (hook, text, onClick, attributes = {}) => html`
  <button class="tool" type="button" data-do=${hook} onClick=${onClick} ...${attributes}>${text}</button>
`;
export const MAIN = { class: "tool tool-main" };

/** A select. `options` are `[value, text, isDisabled]`; `onChange` receives the chosen value. */
export const pick = (value, options, onChange, attributes = {}) => html`
  <select value=${value} onChange=${(event) => onChange(event.target.value)} ...${attributes}>
    ${options.map(([each, text, off = false]) => html`<option key=${each} value=${each} disabled=${off}>${text}</option>`)}
  </select>
`;

/** A button that submits its form. */
export const submit = (hook, text, attributes = {}) => html`
  <button ...${MAIN} type="submit" data-do=${hook} ...${attributes}>${text}</button>
`;

/** A labelled field; `id` is the id of `input`. */
export const field = (id, label, input) => html`<div class="field"><label for=${id}>${label}</label>${input}</div>`;
/** A labelled text field with `below` under it; `onChange` receives the text. */
export const textField = (id, label, value, onChange, attributes = {}, below = null) => {
  const onInput = ({ target }) => onChange(target.value);
  const input = html`<input id=${id} type="text" autocomplete="off" value=${value} onInput=${onInput} ...${attributes} />`;
  return field(id, label, [input, below]);
};
/** A labelled select; `onChange` receives the chosen value. */
export const pickField = (id, label, value, options, onChange, attributes = {}) =>
  field(id, label, pick(value, options, onChange, { id, ...attributes }));

/** A switch; `onChange` receives whether it is on. */
export const toggle = (text, on, onChange, attributes = {}) => html`
  <label class="switch">
    <input type="checkbox" role="switch" checked=${on} onChange=${({ target }) => onChange(target.checked)} ...${attributes} />
    <span>${text}</span>
  </label>
`;

/**
 * Creates an element. `class` and `data` (data attributes) are set; all others become attributes, except for null and
 * false. Children are elements, markup or texts.
 */
export const el = (tag, { class: className = "", data = {}, ...attributes } = {}, ...children) => {
  const element = document.createElement(tag);
  element.className = className;
  Object.assign(element.dataset, data);
  Object.entries(attributes).forEach(([name, value]) => {
    if (value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  });
  const isMarkup = (child) => typeof child === "object" && !(child instanceof Node);
  element.append(...children.map((child) => (isMarkup(child) ? toElement(child) : child)));
  return element;
};

const ICON_PATHS = {
  turn: "M8 5l9 7-9 7z",
  yes: "M4 13l5 5L20 6",
  no: "M6 6l12 12M18 6L6 18",
  nothing: "M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13z",
  bolt: "M13 3L6 13.5h5L10 21l8-11h-5.5z",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4",
  star: "M12 3.5l2.6 5.6 6 .7-4.5 4.2 1.2 6L12 17l-5.3 3 1.2-6-4.5-4.2 6-.7z",
  swap: "M4 8h14l-3.5-3.5M20 16H6l3.5 3.5",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9.5h-13z",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17zM12 7.500V12l3 2",
  skip: "M6 5l6 7-6 7M13 5l6 7-6 7",
  pause: "M8.5 5v14M15.5 5v14",
  laurel: "M10.5 21C5.5 19.5 3 15.5 3 10.5c0-2.5.6-4.5 1.5-6M13.5 21c5-1.5 7.5-5.5 7.5-10.5 0-2.5-.6-4.5-1.5-6"
    + "M3.2 9l3.3 1.5M4 13.5l3.7.5M6.5 17.5l3.5-.8M20.800 9l-3.3 1.5M20 13.5l-3.7.5M17.5 17.5l-3.5-.8",
  up: "M5 19v-4M10 19v-7.5M15 19V8M20 19V4.5",
  blocked: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17zM7.5 12h9",
  cleared: "M5 19v-4M10 19v-7.5M15 19v-2M15 12v-1M20 19v-2M20 12v-2M20 6V5",
  offline: "M4 4l16 16M7 10.5a8 8 0 0 0-2 1.8M10 7.8c4-.6 7 1 9 3.7M9.5 15.5a3.5 3.5 0 0 1 4 0",
  power: "M12 3.5v8M7.500 6.500a7.500 7.500 0 1 0 9 0",
  ask: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.5",
  setup: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z",
  back: "M9 5L4 10l5 5M4 10h10a5.5 5.5 0 0 1 0 11h-3",
  cards: "M4.5 8h10v13h-10zM9 8V4.500h10.500v13h-5",
  people: "M9 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 1 0 0-7zM2.500 20a6.500 6.500 0 0 1 13 0M16 5a3.200 3.200 0 0 1 0 6.200"
    + "M18.500 14.500A6 6 0 0 1 21.500 20",
  look: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13zM15.5 15.5L20.5 20.5",
  lost: "M6 3.5h9l3.5 3.5v13.5H6zM9.8 11a2.2 2.2 0 1 1 3.2 2c-.6.3-1 .8-1 1.5M12 17v.2",
  leave: "M13.5 4H5v16h8.5M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5",
  games: "M4 4v16h16M7.5 15.5l4-4.5 3 2.5 5-6.5",
  members: "M9 4.5a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 1 0 0-6.400zM3 19.500v-1.500a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v1.500"
    + "M16 5a3 3 0 0 1 0 5.600M18 14.200a4 4 0 0 1 3 3.800v1.500",
  first: "M17.5 5L10 12l7.5 7M6.5 5v14",
  previous: "M15 5l-7.5 7 7.5 7",
  next: "M9 5l7.5 7-7.5 7",
  last: "M6.5 5L14 12l-7.5 7M17.5 5v14",
  sound: "M4 9.5v5h3.5l5 4v-13l-5 4zM16 9.500a4 4 0 0 1 0 5M18.500 7a7.500 7.500 0 0 1 0 10",
  muted: "M4 9.5v5h3.5l5 4v-13l-5 4zM16.500 9.500l5 5M21.500 9.500l-5 5",
  gone: "M9 8V4M15 8V4M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4",
};
const FILLED_ICONS = new Set(["turn", "star", "bolt"]);

/** An icon as an SVG of 24 × 24 units. Hidden from screen readers: the text beside it says the same. */
export const icon = (name, className = "icon") => html`
  <svg viewBox="0 0 24 24" class=${className} aria-hidden="true" focusable="false">
    <path d=${ICON_PATHS[name] ?? ICON_PATHS.nothing} fill=${FILLED_ICONS.has(name) ? "currentColor" : "none"} stroke="currentColor"
      stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" />
  </svg>
`;
