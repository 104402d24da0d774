// Making elements in one line, where things aren't drawn as views. It must not know what they are for.

import { toElement } from "./html.js";

/**
 * An element `tag` with properties (`class`, `data` for data attributes, others as attributes; null is left out) and
 * children (elements, markup or texts; null is left out).
 */
export const el = (tag, { class: className = "", data = {}, ...attributes } = {}, ...children) => {
  const made = document.createElement(tag);
  made.className = className;
  Object.assign(made.dataset, data);
  Object.entries(attributes).forEach(([name, value]) => {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  });
  const isMarkup = (child) => typeof child === "object" && !(child instanceof Node);
  const there = children.filter((child) => child !== null && child !== undefined);
  made.append(...there.map((child) => (isMarkup(child) ? toElement(child) : child)));
  return made;
};
