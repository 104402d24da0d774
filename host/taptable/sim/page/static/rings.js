// The ring of a pad: pixels in a circle, which play the frames that draw the rings of the seat boards, too. What runs
// over a time is lit here by what is left. Knows pixels only, no pattern, no seat and no game.

import { html, toElement } from "/static/html.js";

/** Whether this person wants to see less movement. */
const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const CENTRE = 50;
const RADIUS = 42;
const PIXEL_RADIUS = 5.4;
const UNLIT = 0.08;

/** The sign of each pattern, for who sees no colour and no movement. */
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

/** How opaque each pixel of a frame is: two hex digits a pixel, from not lit to full. */
const opacities = (frame) =>
  frame.match(/../g).map((level) => Math.max(UNLIT, parseInt(level, 16) / 255).toFixed(2));

const brightness = (frame) => opacities(frame).reduce((sum, value) => sum + Number(value), 0);

/** The frame that says most by itself, for who wants no movement. */
const brightest = (frames) => frames.reduce((best, frame) => (brightness(frame) > brightness(best) ? frame : best));

/** A ring, dark at first; `rings` has all patterns as they are drawn for the boards, `nowUs()` is table time in µs. */
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

  /** Let every pixel go through its part of the frames, or stand still. */
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
    /** Show a `{pattern, ends_us, whole_us}`: one that runs has its end (table time) and whole length in µs. */
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
    /** Its colour; null while it is dark. */
    colour: () => drawnPattern.colour,
    /** Whole seconds that are left of what runs; null if nothing does. */
    leftS: () => (drawnPattern.left === null ? null : Math.max(0, Math.ceil((shownRing.ends_us - nowUs()) / 1e6))),
  };
};
