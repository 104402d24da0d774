// The parts of a table as drawings, each 44 by 44 (leads as wide as there is room), of the state of what they belong to:
// a seat's, a pad's, or the whole hardware's. Knows neither what a part is called nor what can be done to it.

import { html } from "/static/html.js";

const PIXELS = 12;

const draw = (name, ...shapes) => html`<svg class="part-drawing" data-drawn=${name} viewBox="0 0 44 44" aria-hidden="true">${shapes}</svg>`;
const rect = (of, x, y, width, height, rx = 0) =>
  html`<rect class=${of} x=${x} y=${y} width=${width} height=${height} rx=${rx} />`;
const path = (of, d) => html`<path class=${of} d=${d} />`;
const circle = (of, cx, cy, r) => html`<circle class=${of} cx=${cx} cy=${cy} r=${r} />`;
const cross = path("part-cross", "M8 8 36 36M36 8 8 36");

/** Wires side by side, as `count` says: they are as long as there is room. */
export const drawLead = (count, noisy = false) => {
  const wires = Array.from({ length: count }, (_, at) => 22 + (at - (count - 1) / 2) * 5);
  return html`
    <svg class="part-drawing part-lead" viewBox="0 0 100 44" preserveAspectRatio="none" aria-hidden="true">
      ${wires.map((y) => path("part-wire", `M0 ${y}H100`))}
      ${noisy && path("part-noise", "M0 22 8 8 16 34 24 12 32 36 40 6 48 34 56 10 64 36 72 8 80 32 88 14 100 22")}
    </svg>
  `;
};

/** A plug in its socket, or one that hangs loose. */
export const drawPlug = (out) =>
  draw(
    "plug",
    path("part-wire", out ? "M0 22H6Q13 22 13 26" : "M0 22H14"),
    html`
      <g transform=${out ? "translate(13 22) rotate(90) scale(0.7) translate(-12 -22)" : null}>
        ${rect("part-grip", 12, 14, 18, 16, 3)} ${rect("part-metal", 30, 16, 12, 12, 1)}
        ${path("part-dark", "M33 19h3v2h-3zM33 23h3v2h-3z")}
      </g>
    `,
  );

/** A reader with its antenna; with a ring of pixels round it, of this `colour`, where it has one. */
export const drawReader = (deaf, hasCard, ring, colour) => {
  const inset = ring ? 9 : 2;
  const size = 44 - 2 * inset;
  const pixels = ring ? Array.from({ length: PIXELS }, (_, at) => (at * 2 * Math.PI) / PIXELS) : [];
  return draw(
    "reader",
    rect("part-blue", inset, inset, size, size, 3),
    [4, 7].map((by) => rect("part-coil", inset + by, inset + by, size - 2 * by, size - 2 * by, 2)),
    rect("part-chip", 18, 18, 8, 8, 1),
    html`
      <g class="part-pixels" data-lit=${colour !== null} style=${{ color: colour ?? "" }}>
        ${pixels.map((turn) => circle("part-pixel", 22 + 19.5 * Math.sin(turn), 22 - 19.5 * Math.cos(turn), 2))}
      </g>
    `,
    hasCard && rect("part-card", 15, 9, 16, 23, 2),
    deaf && cross,
  );
};

/** A microcontroller on its board, with its light. */
export const drawBoard = (out) =>
  draw(
    "board",
    rect("part-green", 3, 9, 38, 26, 2),
    path("part-legs", "M7 11.5H38M7 32.5H38"),
    rect("part-metal", 0, 18, 7, 8, 1),
    rect("part-chip", 18, 16, 12, 12, 1),
    html`<circle class="part-light" data-lit=${!out} cx="12" cy="15.5" r="2" />`,
  );

/** An arcade button, lit as its lamp is. */
export const drawButton = (lit, stuck) =>
  draw(
    "button",
    circle("part-bezel", 22, 22, 20),
    html`<circle class="part-cap" data-lit=${lit} cx="22" cy="22" r=${stuck ? 11 : 14} />`,
    stuck && circle("part-stuck", 22, 22, 16),
  );

/** The Pi's processor, with a light while the table's program runs. */
export const drawProgram = (down) =>
  draw(
    "program",
    rect("part-metal", 7, 7, 30, 30, 3),
    rect("part-chip", 12, 12, 20, 20, 1),
    html`<circle class="part-light" data-lit=${!down} cx="22" cy="22" r="4" />`,
    down && cross,
  );

/** The card that the journal is written on. */
export const drawDisk = (full) =>
  draw(
    "disk",
    path("part-chip", "M10 5H28L35 12V39H10Z"),
    path("part-gold", "M14 8h2v6h-2zM18 8h2v6h-2zM22 8h2v6h-2zM26 8h2v6h-2z"),
    html`<rect class="part-fill" data-full=${full} x="14" y=${full ? 18 : 29} width="17" height=${full ? 17 : 6} />`,
  );

/** The display. */
export const drawDisplay = (out) =>
  html`
    <svg class="part-drawing part-display" data-drawn="display" viewBox="0 0 88 44" aria-hidden="true">
      ${rect("part-blue", 1, 1, 86, 42, 3)} ${rect("part-chip", 7, 6, 74, 32, 2)}
      ${!out && path("part-glow", "M13 13h22v4H13zM13 20h34v3H13zM13 26h28v3H13zM58 13h16v16H58z")}
    </svg>
  `;

/** What the sounds come from. */
export const drawSounder = () =>
  draw("sounder", circle("part-bezel", 22, 22, 17), circle("part-gold", 22, 22, 11), circle("part-chip", 22, 22, 3));
