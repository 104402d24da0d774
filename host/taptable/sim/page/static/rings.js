// The ring of a pad: twelve pixels in a circle. Steady patterns are classes and move by CSS; those that run over a time
// fill or drain here, frame by frame. Knows pixels only, no seat and no game.

import { calm, everyFrame, noFrame } from "./frames.js";

const SVG = "http://www.w3.org/2000/svg";
const PIXELS = 12;
const CENTRE = 50;
const RADIUS = 42;
const PIXEL_RADIUS = 5.4;

/** The sign of each pattern, for who sees no colour and no movement. */
export const SIGNS = {
  off: "∅",
  idle: "·",
  "your-turn": "▶",
  reading: "≈",
  accepted: "✓",
  refused: "✕",
  ignored: "–",
  holding: "◔",
  window: "◷",
  claim: "!",
  deaf: "?",
  paused: "Ⅱ",
};

/** Those that fill (1) or drain (-1) with their time. */
const RUNNING = { holding: 1, window: -1, claim: -1 };

const shape = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** How far pixel `index` is lit when `lit` pixels are, the last one in part: 0 to 1. */
const share = (index, lit) => Math.max(0, Math.min(1, lit - index));

/**
 * A ring, dark at first.
 * @param {() => number} nowUs table time in µs
 */
export const makeRing = (nowUs) => {
  const element = shape("svg", { viewBox: "0 0 100 100", class: "ring", "aria-hidden": "true", focusable: "false" });
  element.append(shape("circle", { class: "ring-bed", cx: CENTRE, cy: CENTRE, r: RADIUS }));
  const pixels = Array.from({ length: PIXELS }, (_, index) => {
    const angle = (index / PIXELS) * 2 * Math.PI - Math.PI / 2;
    const pixel = shape("circle", {
      class: "pixel",
      cx: (CENTRE + RADIUS * Math.cos(angle)).toFixed(2),
      cy: (CENTRE + RADIUS * Math.sin(angle)).toFixed(2),
      r: PIXEL_RADIUS,
    });
    pixel.style.setProperty("--at", String(index));
    // half rings and every other pixel are shapes of their own, told apart without colour
    pixel.dataset.half = index < PIXELS / 2 ? "right" : "left";
    pixel.dataset.odd = String(index % 2 === 1);
    pixel.dataset.quarter = String(index % 3 === 0);
    element.append(pixel);
    return pixel;
  });

  let shown = { pattern: "off" };
  const lit = new Array(PIXELS).fill(null);

  const light = (index, value) => {
    if (lit[index] === value) return;
    lit[index] = value;
    if (value === null) pixels[index].style.removeProperty("--lit");
    else pixels[index].style.setProperty("--lit", value);
  };

  const run = () => {
    const part = Math.max(0, Math.min(1, (shown.ends_us - nowUs()) / shown.whole_us));
    const count = (RUNNING[shown.pattern] > 0 ? 1 - part : part) * PIXELS;
    const shownCount = calm() ? Math.ceil(count) : count;
    pixels.forEach((_, index) => light(index, share(index, shownCount).toFixed(2)));
    return part > 0;
  };

  return {
    element,
    /**
     * Show a pattern; one that runs has its end (table time) and whole length in µs.
     * @param {{pattern: string, ends_us?: number, whole_us?: number}} ring
     */
    show(ring) {
      shown = ring;
      if (element.dataset.ring !== ring.pattern) element.dataset.ring = ring.pattern;
      if (ring.pattern in RUNNING && ring.whole_us > 0) everyFrame(run);
      else {
        noFrame(run);
        pixels.forEach((_, index) => light(index, null));
      }
    },
    /** Whole seconds that are left of what runs; null if nothing does. */
    leftS: () => (shown.pattern in RUNNING ? Math.max(0, Math.ceil((shown.ends_us - nowUs()) / 1e6)) : null),
  };
};
