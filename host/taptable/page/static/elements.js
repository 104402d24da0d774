// Making elements in one line. It must not know what they are for.

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
 * children (elements or texts; null is left out).
 */
export const el = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  Object.entries(properties).forEach(([name, value]) => {
    if (name === "class") {
      element.className = value;
    } else if (name === "data") {
      Object.entries(value).forEach(([key, each]) => setData(element, key, each));
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  });
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

/** Set the text of `element`, touching the document only if it differs; true if it did. */
export const setText = (element, text) => {
  if (element.textContent === text) {
    return false;
  }
  element.textContent = text;
  return true;
};
