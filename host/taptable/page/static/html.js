// Views as functions of what is known: they give markup, and of that Preact draws what differs from what stands there
// already, so that who types, or works with the keyboard, stays where they are. It must not know what a view shows.

import htm from "./vendor/htm.js";
import { h, render } from "./vendor/preact.js";

/** Markup as a tagged template. */
export const html = htm.bind(h);

/** Let `root` hold this markup. */
export const draw = (root, markup) => render(markup, root);

/** Markup as an element of its own, for what isn't drawn as a view. */
export const toElement = (markup) => {
  const place = document.createElement("div");
  render(markup, place);
  return place.firstChild;
};

/** An element that isn't drawn as a view, in its place among markup. */
export const hold = (node) => {
  const put = (place) => place !== null && place.firstChild !== node && place.replaceChildren(node);
  return html`<span class="root" ref=${put}></span>`;
};

/**
 * Keep what `view()` gives in `root`: drawn in the next frame after one of the `parts` was told, or in other words. The
 * function returned draws it at once.
 */
export const keep = (root, { store }, parts, view) => {
  const draw = () => render(view(), root);
  const soon = () => store.soon(draw);
  parts.forEach((part) => store.on(part, soon));
  return draw;
};

/** A button by its `hook`; a click does what it `does`, `of` are attributes besides. */
export const tool = (hook, text, does, of = {}) => html`
  <button class="tool" type="button" data-do=${hook} onClick=${does} ...${of}>${text}</button>
`;
export const MAIN = { class: "tool tool-main" };

/** A select by its `value`; `options` are values with their texts, some `off`; `change` is told the one that is chosen. */
export const pick = (value, options, change, of = {}) => html`
  <select value=${value} onChange=${(event) => change(event.target.value)} ...${of}>
    ${options.map(([each, text, off = false]) => html`<option key=${each} value=${each} disabled=${off}>${text}</option>`)}
  </select>
`;
