// Making elements in one line, where things aren't drawn as views. It must not know what they are for.

import { toElement } from "./html.js";

/** Set or remove (null) a data attribute, touching the document only if it differs. */
export const setData = (element, name, value) => {
  if (value === null || value === undefined) {
    if (name in element.dataset) {
      delete element.dataset[name];
    }
  } else if (element.dataset[name] !== String(value)) {
    element.dataset[name] = String(value);
  }
};

/**
 * An element `tag` with properties (`class`, `data` for data attributes, others as attributes; null is left out) and
 * children (elements, markup or texts; null is left out).
 */
export const el = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  Object.entries(properties).forEach(([name, value]) => {
    if (name === "class") {
      made.className = value;
    } else if (name === "data") {
      Object.entries(value).forEach(([key, each]) => setData(made, key, each));
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, String(value));
    }
  });
  return fill(made, ...children);
};

/** Let an element have these children and no others. */
export const fill = (parent, ...children) => {
  const there = children.filter((child) => child !== null && child !== undefined);
  const isMarkup = (child) => typeof child === "object" && !(child instanceof Node);
  parent.replaceChildren(...there.map((child) => (isMarkup(child) ? toElement(child) : child)));
  return parent;
};

/** Set the text of `element`, touching the document only if it differs; true if it did. */
export const setText = (element, text) => {
  if (element.textContent === text) {
    return false;
  }
  element.textContent = text;
  return true;
};
