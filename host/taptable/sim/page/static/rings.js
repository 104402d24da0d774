// A pad's ring: pixels in a circle that play the same frames as the rings of the seat boards. Patterns with a duration
// show the time left. It knows only pixels, and must not know patterns' meanings, seats or games.

import { html, toElement } from "/static/html.js";

/** Whether the person prefers reduced motion. */
const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const CENTRE = 50;
const RADIUS = 42;
const PIXEL_RADIUS = 5.4;
const UNLIT = 0.08;

/** A symbol for each pattern, for people who see no colour or movement. */
export const SYMBOLS = {
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

/** Returns the opacity of each pixel of a frame (two hex digits per pixel). */
const opacities = (frame) =>
  frame.match(/../g).map((level) => Math.max(UNLIT, parseInt(level, 16) / 255).toFixed(2));

const brightness = (frame) => opacities(frame).reduce((sum, value) => sum + Number(value), 0);

/** Returns the brightest frame, which stands for the pattern if nothing may move. */
const brightest = (frames) => frames.reduce((best, frame) => (brightness(frame) > brightness(best) ? frame : best));

/** Makes a ring, dark at first. `rings` has all patterns as drawn for the boards; `nowUs()` returns table time. */
export const makeRing = (rings, nowUs) => {
  const pixel = (_, index) => {
    const angle = (index / rings.pixels) * 2 * Math.PI - Math.PI / 2;
    const [x, y] = [Math.cos(angle), Math.sin(angle)].map((along) => (CENTRE + RADIUS * along).toFixed(2));
    return html`<circle class="pixel" cx=${x} cy=${y} r=${PIXEL_RADIUS} />`;
  };
  const element = toElement(html`
    <svg class="ring" viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      <circle class="ring-bed" cx=${CENTRE} cy=${CENTRE} r=${RADIUS} />${Array.from({ length: rings.pixels }, pixel)}
    </svg>
  `);
  const pixels = [...element.querySelectorAll(".pixel")];
  let shownRing = { pattern: "off" };
  let drawnPattern = rings.patterns.off;
  let leftFrame = "";
  let frameAsked = 0;

  const drawTimeLeft = () => {
    const shareLeft = Math.max(0, Math.min(1, (shownRing.ends_us - nowUs()) / shownRing.whole_us));
    const frame = drawnPattern.left[Math.round(shareLeft * (drawnPattern.left.length - 1))];
    if (frame !== leftFrame) {
      leftFrame = frame;
      opacities(frame).forEach((value, index) => pixels[index].style.setProperty("--lit", value));
    }
    if (shareLeft > 0) {
      frameAsked = requestAnimationFrame(drawTimeLeft);
    }
  };

  /** Plays the frames on every pixel, or shows a still one. */
  const play = () => {
    const stillOpacities = opacities(brightest(drawnPattern.frames));
    const frames = drawnPattern.frames.map(opacities);
    pixels.forEach((pixel, index) => {
      pixel.getAnimations().forEach((animation) => animation.cancel());
      pixel.style.opacity = stillOpacities[index];
      if (frames.length === 1 || prefersReducedMotion()) return;
      const steps = frames.map((frame) => ({ opacity: frame[index] }));
      const iterations = drawnPattern.once ? 1 : Infinity;
      pixel.animate(steps, { duration: drawnPattern.period_ms, iterations, fill: "forwards" });
    });
  };

  return {
    element,
    /**
     * Shows a `{pattern, ends_us, whole_us}`; patterns with a duration have their end (table time) and length in µs.
     */
    show(ring) {
      const hasChanged = element.dataset.ring !== ring.pattern;
      shownRing = ring;
      drawnPattern = rings.patterns[ring.pattern];
      if (hasChanged) {
        element.dataset.ring = ring.pattern;
        element.style.color = drawnPattern.colour ?? "";
        play();
      }
      cancelAnimationFrame(frameAsked);
      if (drawnPattern.left !== null && shownRing.whole_us > 0) {
        drawTimeLeft();
      } else {
        leftFrame = "";
        pixels.forEach((pixel) => pixel.style.removeProperty("--lit"));
      }
    },
    /** The ring's colour; null while it is dark. */
    colour: () => drawnPattern.colour,
    /** Whole seconds left of a pattern with a duration; else null. */
    leftS: () => (drawnPattern.left === null ? null : Math.max(0, Math.ceil((shownRing.ends_us - nowUs()) / 1e6))),
  };
};
