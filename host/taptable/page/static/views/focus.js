// Who works with the keyboard stays where they are while things are drawn again. It must not know what is drawn.

const hookOf = ([name, value]) =>
  `[data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${CSS.escape(value)}"]`;

/** Redraw below `root`; what had the focus has it again, known by its data attributes. */
export const keepingFocus = (root, redraw) => {
  const focused = document.activeElement;
  const hooks = root.contains(focused) ? Object.entries(focused.dataset) : [];
  redraw();
  if (hooks.length > 0 && !document.contains(focused)) {
    root.querySelector(hooks.map(hookOf).join(""))?.focus();
  }
};
