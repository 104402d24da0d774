// Makes words as large as their box allows: every element with `data-fit` whose content sticks out gets a smaller
// `--fit`, by which its sheet multiplies its letters. Names and sentences in four languages have any length. It must
// not know what they say.

const STEP = 0.05;
/** Below the first size words may break anywhere; nothing gets smaller than the second. */
const LEAST_WHOLE = 0.6;
const LEAST = 0.3;

const fitted = new WeakMap();

/** Figures have lines lower than their letters' boxes, so the box of their lines is measured instead. */
const isWhole = (element) => {
  const lines = element.querySelector("[data-lines]");
  const [width, height] = lines === null ? [element.scrollWidth, element.scrollHeight] : [lines.offsetWidth, lines.offsetHeight];
  return width <= element.clientWidth && height <= element.clientHeight;
};

/** Tries sizes down to `least`; returns whether one fits. */
const shrink = (element, least) => {
  for (let size = 1; size >= least; size -= STEP) {
    element.style.setProperty("--fit", size.toFixed(2));
    if (isWhole(element)) {
      return true;
    }
  }
  return false;
};

const reset = (element) => {
  element.dataset.tight = "false";
  element.style.setProperty("--fit", "1");
};

const fit = (element) => {
  if (!shrink(element, LEAST_WHOLE)) {
    element.dataset.tight = "true";
    shrink(element, LEAST);
  }
};

/** Fits all elements below `root` whose words, or whose room as `arrangement` describes it, have changed. */
export const fitAll = (root, arrangement) => {
  const room = `${innerWidth} ${innerHeight} ${arrangement}`;
  const changed = [...root.querySelectorAll("[data-fit]")].filter((element) => {
    const key = `${room} ${element.textContent}`;
    const isChanged = fitted.get(element) !== key;
    fitted.set(element, key);
    return isChanged;
  });
  changed.forEach(reset);
  // words get the room that the figures leave
  const isFigures = (element) => element.querySelector("[data-lines]") !== null;
  changed.filter(isFigures).forEach(fit);
  changed.filter((element) => !isFigures(element)).forEach(fit);
};
