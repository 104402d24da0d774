// The hardware of the table: at each seat a pad with its ring and an arcade button with its lamp, in the centre the
// display and the discard pad. Shows what the models say, faults included; knows no rule.

import { draw as drawInto, el, hold, html } from "/static/html.js";
import { makeRing, SIGNS } from "./rings.js";

const GLASS = "#05090e";
const LEAST_BRIGHT = 0.35;
/** With fewer device pixels for one of the glass it is drawn larger, and the browser makes it smaller. */
const SMALLEST = 2;

const unpack = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The module: `show({width, height, bits, contrast})` draws its picture, `plugged(there)` says whether it is there. */
const makeGlass = () => {
  const canvas = el("canvas", { class: "oled-glass", role: "img" });
  const gone = el("p", { class: "oled-gone", hidden: true });
  const bezel = el("div", { class: "oled-bezel" }, canvas, gone);
  const pins = html`<div class="oled-pins" aria-hidden="true">${Array.from({ length: 4 }, () => html`<i />`)}</div>`;
  const element = el("div", { class: "oled" }, pins, bezel);
  let picture = null;
  let drawn = "";

  const draw = () => {
    if (picture === null || bezel.clientWidth === 0) return;
    const { width, height, bits, contrast } = picture;
    const dots = devicePixelRatio || 1;
    const room = bezel.clientWidth - 2 * parseFloat(getComputedStyle(bezel).paddingLeft);
    // whole device pixels for each pixel of the glass, or there would be a pattern of thick and thin ones
    const whole = Math.floor((room * dots) / width);
    const cell = Math.max(SMALLEST, whole);
    const key = `${cell} ${room} ${dots} ${contrast} ${bits}`;
    if (key === drawn) return;
    drawn = key;
    canvas.width = width * cell;
    canvas.height = height * cell;
    const wide = Math.min(room, (width * cell) / dots);
    canvas.dataset.smooth = String(whole < SMALLEST);
    canvas.style.setProperty("width", `${wide}px`);
    canvas.style.setProperty("height", `${(wide * height) / width}px`);
    const gap = cell >= 6 ? 2 : cell >= 3 ? 1 : 0;
    const pen = canvas.getContext("2d", { alpha: false });
    pen.fillStyle = GLASS;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.globalAlpha = LEAST_BRIGHT + (1 - LEAST_BRIGHT) * (contrast / 255);
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
    show(glass) {
      picture = glass;
      draw();
    },
    plugged(there) {
      element.dataset.plugged = String(there);
      gone.hidden = there;
    },
    label(name, without) {
      canvas.setAttribute("aria-label", name);
      gone.textContent = without;
    },
  };
};

/** Build the hardware into the slots, and follow it; `needCard()` is called for a click on a pad without a card. */
export const makeHardware = (page, choice, actions, needCard) => {
  const { store, slots, words, cards, about } = page;
  const { say } = words;
  const glass = makeGlass();
  const centre = el("div", { class: "centre-gear" });
  slots.centre.append(centre);
  const rings = new Map();

  /** Can the table hear a card there? */
  const hears = ({ board, deaf }) => board !== "out" && !deaf;

  const tap = (pad) => {
    const { seat, card } = choice;
    if (card === null) {
      needCard();
      return;
    }
    choice.choose(null);
    actions.tap(seat, card, pad);
  };

  /** A pad, lit where the chosen card may go, or any card that is raised, with the cards on it. */
  const drawPad = (pad, label, state, of, ...inside) => html`
    <button class="pad" type="button" data-pad=${pad} data-target=${choice.targets().includes(String(pad)) && hears(state)}
      data-counts=${choice.padsThatCount().includes(String(pad)) && hears(state)} data-asking=${choice.card !== null}
      aria-label=${label} onClick=${() => tap(String(pad))} ...${of}>
      ${inside}
      <span class="pad-cards">
        ${state.cards.map((card) => html`<${Lying} key=${card} face=${cards.face(card, { size: "mini", hook: "data-lies" })} />`)}
      </span>
    </button>
  `;
  const Lying = ({ face }) => face;

  /** Small signs with a word for what is wrong with a part. */
  const drawWrongs = (faults) => html`
    <span class="gear-wrongs">
      ${faults.map((fault) => html`<span class="gear-wrong" key=${fault} data-wrong=${fault}>${say(`page wrong-${fault}`)}</span>`)}
    </span>
  `;
  const called = (first, lying, faults) =>
    [first, ...lying.map((card) => cards.name(card)), ...faults.map((fault) => say(`page wrong-${fault}`))].join(", ");

  const drawSeat = (state, means, own, alive) => {
    const { seat } = state;
    if (!rings.has(seat)) {
      rings.set(seat, makeRing(about.demo.rings, () => store.nowUs()));
    }
    const ring = rings.get(seat);
    const shown = state.ring ?? { pattern: "off" };
    const pattern = state.board === "out" || !alive ? "off" : shown.pattern;
    ring.show(pattern === "off" ? { pattern } : shown);
    const left = ring.leftS();
    const faults = faultsOf(state);
    const facts = { seat, ring: say(`page ring-${pattern}`), left };
    const label = called(say(left === null ? "page pad-name" : "page pad-name-left", facts), state.cards, faults);
    const meaning = means ? say(`meaning ${means}`) : say("page button-none");
    const lamp = say(`page lamp-${state.lamp.pattern}`);
    const ofPad = {
      style: { "--ring": ring.colour() ?? "" },
      "data-ring": pattern,
      "data-ringless": state.ring === null ? "true" : null,
    };
    const sign = html`<span class="ring-sign" aria-hidden="true">${SIGNS[pattern]}</span>`;
    drawInto(
      slots.seat(seat),
      html`
        <div class="gear" data-gear=${seat} data-own=${own} data-board=${state.board ?? "none"} data-deaf=${state.deaf}
          data-noisy=${state.noisy}>
          ${drawPad(seat, label, state, ofPad, hold(ring.element), sign)}
          <button class="arcade" type="button" data-button=${seat} data-lit=${state.lamp.lit}
            data-lamp=${state.lamp.pattern} data-meaning=${means ?? ""} data-stuck=${state.stuck ? "true" : null}
            data-own=${own} aria-disabled=${own ? null : "true"} title=${own ? meaning : null}
            aria-label=${say("page button-name", { seat, meaning, lamp })} onClick=${() => own && actions.press(seat)}>
            <span class="arcade-cap" aria-hidden="true"></span>
          </button>
          ${drawWrongs(faults)}
        </div>
      `,
    );
  };

  /** A pad that is no seat's: the discard pad, or one of the game's own. */
  const drawOther = (name, state) => {
    const faults = state.deaf ? ["deaf"] : [];
    const word = (key) => say(words.has(`page ${key}`) ? `page ${key}` : `pad ${name}`);
    const of = { class: "pad pad-discard" };
    return html`
      <div class="discard-gear" key=${name} data-pad-of=${name} data-deaf=${state.deaf}>
        ${drawPad(name, called(word(`pad-${name}`), state.cards, faults), state, of)}
        <span class="pad-caption" aria-hidden="true">${word(`pad-${name}-short`)}</span>
        ${drawWrongs(faults)}
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
    glass.plugged(hardware.display === "in");
    glass.label(say("page oled"), say("page oled-out"));
    const others = hardware.pads.map((each) => drawOther(each.pad, each));
    drawInto(centre, [hold(glass.element), drawOther("discard", hardware.discard), others]);
  };

  ["hardware", "seats", "hands"].forEach((part) => store.on(part, () => store.soon(draw)));
  store.on("glass", (shown) => shown && glass.show(shown));
  choice.follow(draw);
};

const faultsOf = (state) => [
  ...(state.board === "out" ? ["board-out"] : []),
  ...["deaf", "noisy", "stuck"].filter((fault) => state[fault]),
];
