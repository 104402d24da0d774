// The table's simulated hardware: a pad with its ring and an arcade button with its lamp at each seat, and the display
// and the discard pad in the centre. Shows the models' state, faults included. It must not know any rule.

import { draw as drawInto, el, embed, html } from "/static/html.js";
import { makeRing, SYMBOLS } from "./rings.js";

const GLASS = "#05090e";
const MIN_BRIGHTNESS = 0.35;
/** Fewest canvas pixels per display pixel. If there is less room, the browser scales the canvas down. */
const MIN_CELL = 2;

const unpack = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Makes the display: `show({width, height, bits, contrast})` draws its picture, `plugged(isPlugged)` shows whether it
 * is connected.
 */
const makeDisplay = () => {
  const canvas = el("canvas", { class: "oled-glass", role: "img" });
  const unpluggedNote = el("p", { class: "oled-gone", hidden: true });
  const bezel = el("div", { class: "oled-bezel" }, canvas, unpluggedNote);
  const pins = html`<div class="oled-pins" aria-hidden="true">${Array.from({ length: 4 }, () => html`<i />`)}</div>`;
  const element = el("div", { class: "oled" }, pins, bezel);
  let picture = null;
  let drawnKey = "";

  const draw = () => {
    if (picture === null || bezel.clientWidth === 0) return;
    const { width, height, bits, contrast } = picture;
    const pixelRatio = devicePixelRatio || 1;
    const room = bezel.clientWidth - 2 * parseFloat(getComputedStyle(bezel).paddingLeft);
    // whole device pixels per display pixel, or the grid would be uneven
    const whole = Math.floor((room * pixelRatio) / width);
    const cell = Math.max(MIN_CELL, whole);
    const key = `${cell} ${room} ${pixelRatio} ${contrast} ${bits}`;
    if (key === drawnKey) return;
    drawnKey = key;
    canvas.width = width * cell;
    canvas.height = height * cell;
    const wide = Math.min(room, (width * cell) / pixelRatio);
    canvas.dataset.smooth = String(whole < MIN_CELL);
    canvas.style.setProperty("width", `${wide}px`);
    canvas.style.setProperty("height", `${(wide * height) / width}px`);
    const gap = cell >= 6 ? 2 : cell >= 3 ? 1 : 0;
    const pen = canvas.getContext("2d", { alpha: false });
    pen.fillStyle = GLASS;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.globalAlpha = MIN_BRIGHTNESS + (1 - MIN_BRIGHTNESS) * (contrast / 255);
    pen.fillStyle = getComputedStyle(element).getPropertyValue("--pixel") || "#a5deff";
    const bytes = unpack(bits);
    const stride = Math.ceil(width / 8);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (bytes[y * stride + (x >> 3)] & (0x80 >> (x & 7))) pen.fillRect(x * cell, y * cell, cell - gap, cell - gap);
      }
    }
    pen.globalAlpha = 1;
  };

  new ResizeObserver(draw).observe(bezel);

  return {
    element,
    show(newPicture) {
      picture = newPicture;
      draw();
    },
    plugged(isPlugged) {
      element.dataset.plugged = String(isPlugged);
      unpluggedNote.hidden = isPlugged;
    },
    label(name, unpluggedText) {
      canvas.setAttribute("aria-label", name);
      unpluggedNote.textContent = unpluggedText;
    },
  };
};

/** Builds the hardware into the slots; `onCardMissing()` is called for a click on a pad without a chosen card. */
export const makeHardware = (page, choice, actions, onCardMissing) => {
  const { store, slots, words, cards, about } = page;
  const { say } = words;
  const display = makeDisplay();
  const centre = el("div", { class: "centre-gear" });
  slots.centre.append(centre);
  const rings = new Map();

  /** Whether the table can read a card there. */
  const canRead = ({ board, deaf }) => board !== "out" && !deaf;

  const tap = (pad) => {
    const { seat, card } = choice;
    if (card === null) {
      onCardMissing();
      return;
    }
    choice.choose(null);
    actions.tap(seat, card, pad);
  };

  /** Draws a pad with its cards, lit if the chosen card, or any playable one, would count there. */
  const drawPad = (pad, label, state, attributes, ...inside) => html`
    <button class="pad" type="button" data-pad=${pad} data-target=${choice.targets().includes(String(pad)) && canRead(state)}
      data-counts=${choice.padsThatCount().includes(String(pad)) && canRead(state)} data-asking=${choice.card !== null}
      aria-label=${label} onClick=${() => tap(String(pad))} ...${attributes}>
      ${inside}
      <span class="pad-cards">
        ${state.cards.map((card) => html`<${CardOnPad} key=${card} face=${cards.face(card, { size: "mini", hook: "data-on-pad" })} />`)}
      </span>
    </button>
  `;
  const CardOnPad = ({ face }) => face;

  /** Draws a label for each fault of a part. */
  const drawFaults = (faults) => html`
    <span class="gear-faults">
      ${faults.map((fault) => html`<span class="gear-fault" key=${fault} data-wrong=${fault}>${say(`page wrong-${fault}`)}</span>`)}
    </span>
  `;
  const labelWith = (first, cardIds, faults) =>
    [first, ...cardIds.map((card) => cards.name(card)), ...faults.map((fault) => say(`page wrong-${fault}`))].join(", ");

  const drawSeat = (state, meaning, isOwn, isRunning) => {
    const { seat } = state;
    if (!rings.has(seat)) {
      rings.set(seat, makeRing(about.demo.rings, () => store.nowUs()));
    }
    const ring = rings.get(seat);
    const shown = state.ring ?? { pattern: "off" };
    const pattern = state.board === "out" || !isRunning ? "off" : shown.pattern;
    ring.show(pattern === "off" ? { pattern } : shown);
    const left = ring.leftS();
    const faults = faultsOf(state);
    const facts = { seat, ring: say(`page ring-${pattern}`), left };
    const label = labelWith(say(left === null ? "page pad-name" : "page pad-name-left", facts), state.cards, faults);
    const meaningText = meaning ? say(`meaning ${meaning}`) : say("page button-none");
    const lampText = say(`page lamp-${state.lamp.pattern}`);
    const padAttributes = {
      style: { "--ring": ring.colour() ?? "" },
      "data-ring": pattern,
      "data-ringless": state.ring === null ? "true" : null,
    };
    const ringSymbol = html`<span class="ring-symbol" aria-hidden="true">${SYMBOLS[pattern]}</span>`;
    drawInto(
      slots.seat(seat),
      html`
        <div class="gear" data-gear=${seat} data-own=${isOwn} data-board=${state.board ?? "none"} data-deaf=${state.deaf}
          data-noisy=${state.noisy}>
          ${drawPad(seat, label, state, padAttributes, embed(ring.element), ringSymbol)}
          <button class="arcade" type="button" data-button=${seat} data-lit=${state.lamp.lit}
            data-lamp=${state.lamp.pattern} data-meaning=${meaning ?? ""} data-stuck=${state.stuck ? "true" : null}
            data-own=${isOwn} aria-disabled=${isOwn ? null : "true"} title=${isOwn ? meaningText : null}
            aria-label=${say("page button-name", { seat, meaning: meaningText, lamp: lampText })} onClick=${() => isOwn && actions.press(seat)}>
            <span class="arcade-cap" aria-hidden="true"></span>
          </button>
          ${drawFaults(faults)}
        </div>
      `,
    );
  };

  /** Draws a pad that belongs to no seat: the discard pad, or one of the game's own. */
  const drawOtherPad = (name, state) => {
    const faults = state.deaf ? ["deaf"] : [];
    const word = (key) => say(words.has(`page ${key}`) ? `page ${key}` : `pad ${name}`);
    const attributes = { class: "pad pad-discard" };
    return html`
      <div class="discard-gear" key=${name} data-pad-of=${name} data-deaf=${state.deaf}>
        ${drawPad(name, labelWith(word(`pad-${name}`), state.cards, faults), state, attributes)}
        <span class="pad-caption" aria-hidden="true">${word(`pad-${name}-short`)}</span>
        ${drawFaults(faults)}
      </div>
    `;
  };

  const draw = () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return;
    }
    const people = choice.seats();
    const meanings = new Map((store.get("seats") ?? []).map((seat) => [seat.seat, seat.meaning]));
    hardware.seats.forEach((state) =>
      drawSeat(state, meanings.get(state.seat) ?? null, people.includes(state.seat), hardware.daemon === "up"),
    );
    display.plugged(hardware.display === "in");
    display.label(say("page oled"), say("page oled-out"));
    const others = hardware.pads.map((each) => drawOtherPad(each.pad, each));
    drawInto(centre, [embed(display.element), drawOtherPad("discard", hardware.discard), others]);
  };

  ["hardware", "seats", "hands"].forEach((part) => store.on(part, () => store.schedule(draw)));
  store.on("glass", (shown) => shown && display.show(shown));
  choice.onChange(draw);
};

const faultsOf = (state) => [
  ...(state.board === "out" ? ["board-out"] : []),
  ...["deaf", "noisy", "stuck"].filter((fault) => state[fault]),
];
