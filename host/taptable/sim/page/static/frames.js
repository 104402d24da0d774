// One requestAnimationFrame for everything that runs over a time; none while nothing does. Knows no table.

/** @type {Set<() => boolean>} */
const running = new Set();
let asked = 0;

const frame = () => {
  asked = 0;
  for (const draw of [...running]) if (!draw()) running.delete(draw);
  ask();
};

const ask = () => {
  if (running.size > 0 && asked === 0) asked = requestAnimationFrame(frame);
};

/**
 * Call `draw` before each frame for as long as it gives true.
 * @param {() => boolean} draw
 */
export const everyFrame = (draw) => {
  running.add(draw);
  ask();
};

/**
 * Call `draw` no more, whatever it gave.
 * @param {() => boolean} draw
 */
export const noFrame = (draw) => {
  running.delete(draw);
};

/** @returns {boolean} whether this person wants to see less movement */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
