// Elements in one breath, on what the base has for it. Knows no words: a `word` is filled in by whoever has them.

import { el, setText } from "/static/elements.js";

/**
 * An element as the base makes it, with a `text` or the key of a `word` besides.
 * @param {string} tag
 * @param {Record<string, unknown>} [of]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export const make = (tag, { word, text, ...of } = {}, ...children) => {
  const element = el(tag, tag === "button" ? { type: "button", ...of } : of, ...children);
  if (word) {
    element.dataset.word = word;
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
};

/** Set a text, and leave what says it already alone: screen readers read what changes. */
export const say = setText;

/** Set an attribute, and leave what has it already alone; null takes it away. */
export const set = (element, name, value) => {
  if (value === null) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, String(value));
  }
};

/** What must be scrolled to be read can be reached by keys; what fits can't, and needn't. */
export const reachable = (element) => {
  set(element, "tabindex", element.scrollHeight > element.clientHeight + 1 ? 0 : null);
};

/**
 * Let `parent` have exactly these children in this order, moving as few as can be: what has the focus keeps it.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
export const arrange = (parent, wanted) => {
  const kept = new Set(wanted);
  [...parent.children].forEach((child) => !kept.has(child) && child.remove());
  wanted.forEach((child, index) => {
    if (parent.children[index] !== child) {
      parent.insertBefore(child, parent.children[index] ?? null);
    }
  });
};
