// The workbench: a drawing of the table's parts, to pull plugs and break parts, with what to look for; and the wire. It
// knows which parts exist and which fault ends which. It must not know how the table copes.

import { el, html } from "/static/html.js";
import { drawInTab } from "/static/tabs.js";
import { makeWire } from "./wire.js";

const PIXELS = 12;

const draw = (name, ...shapes) => html`<svg class="part-drawing" data-drawn=${name} viewBox="0 0 44 44" aria-hidden="true">${shapes}</svg>`;
const rect = (className, x, y, width, height, rx = 0) =>
  html`<rect class=${className} x=${x} y=${y} width=${width} height=${height} rx=${rx} />`;
const path = (className, d) => html`<path class=${className} d=${d} />`;
const circle = (className, cx, cy, r) => html`<circle class=${className} cx=${cx} cy=${cy} r=${r} />`;
const cross = path("part-cross", "M8 8 36 36M36 8 8 36");

/** Draws `count` parallel wires, as long as there is room. */
const drawLead = (count, isNoisy = false) => {
  const wires = Array.from({ length: count }, (_, at) => 22 + (at - (count - 1) / 2) * 5);
  return html`
    <svg class="part-drawing part-lead" viewBox="0 0 100 44" preserveAspectRatio="none" aria-hidden="true">
      ${wires.map((y) => path("part-wire", `M0 ${y}H100`))}
      ${isNoisy && path("part-noise", "M0 22 8 8 16 34 24 12 32 36 40 6 48 34 56 10 64 36 72 8 80 32 88 14 100 22")}
    </svg>
  `;
};

/** Draws a plug in its socket, or hanging loose. */
const drawPlug = (isOut) =>
  draw(
    "plug",
    path("part-wire", isOut ? "M0 22H6Q13 22 13 26" : "M0 22H14"),
    html`
      <g transform=${isOut ? "translate(13 22) rotate(90) scale(0.7) translate(-12 -22)" : null}>
        ${rect("part-grip", 12, 14, 18, 16, 3)} ${rect("part-metal", 30, 16, 12, 12, 1)}
        ${path("part-dark", "M33 19h3v2h-3zM33 23h3v2h-3z")}
      </g>
    `,
  );

/** Draws a reader with its antenna; with `ring` also a ring of pixels in this `colour` (null: dark). */
const drawReader = (isDeaf, hasCard, ring, colour) => {
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
    isDeaf && cross,
  );
};

/** Draws a microcontroller board with its light. */
const drawBoard = (isOut) =>
  draw(
    "board",
    rect("part-green", 3, 9, 38, 26, 2),
    path("part-legs", "M7 11.5H38M7 32.5H38"),
    rect("part-metal", 0, 18, 7, 8, 1),
    rect("part-chip", 18, 16, 12, 12, 1),
    html`<circle class="part-light" data-lit=${!isOut} cx="12" cy="15.5" r="2" />`,
  );

/** Draws an arcade button with its lamp. */
const drawButton = (lit, isStuck) =>
  draw(
    "button",
    circle("part-bezel", 22, 22, 20),
    html`<circle class="part-cap" data-lit=${lit} cx="22" cy="22" r=${isStuck ? 11 : 14} />`,
    isStuck && circle("part-stuck", 22, 22, 16),
  );

/** Draws the Pi's processor, with a light while the table's program runs. */
const drawProgram = (isDown) =>
  draw(
    "program",
    rect("part-metal", 7, 7, 30, 30, 3),
    rect("part-chip", 12, 12, 20, 20, 1),
    html`<circle class="part-light" data-lit=${!isDown} cx="22" cy="22" r="4" />`,
    isDown && cross,
  );

/** Draws the SD card that holds the journal. */
const drawDisk = (isFull) =>
  draw(
    "disk",
    path("part-chip", "M10 5H28L35 12V39H10Z"),
    path("part-gold", "M14 8h2v6h-2zM18 8h2v6h-2zM22 8h2v6h-2zM26 8h2v6h-2z"),
    html`<rect class="part-fill" data-full=${isFull} x="14" y=${isFull ? 18 : 29} width="17" height=${isFull ? 17 : 6} />`,
  );

/** Draws the display. */
const drawDisplay = (isOut) =>
  html`
    <svg class="part-drawing part-display" data-drawn="display" viewBox="0 0 88 44" aria-hidden="true">
      ${rect("part-blue", 1, 1, 86, 42, 3)} ${rect("part-chip", 7, 6, 74, 32, 2)}
      ${!isOut && path("part-glow", "M13 13h22v4H13zM13 20h34v3H13zM13 26h28v3H13zM58 13h16v16H58z")}
    </svg>
  `;

/** Draws a switch, with the channels to its readers. */
const drawSwitch = (isHung) =>
  draw(
    "switch",
    rect("part-green", 3, 11, 38, 22, 2),
    rect("part-chip", 16, 17, 12, 10, 1),
    path("part-legs", "M7 13.5H38M7 30.5H38"),
    isHung && cross,
  );

/** Draws a controller with four buttons. */
const drawController = () =>
  draw("controller", rect("part-chip", 2, 12, 40, 20, 8), [9, 18, 27, 36].map((x) => circle("part-gold", x - 0.5, 22, 3)));

/** Draws the sounder. */
const drawSounder = () =>
  draw("sounder", circle("part-bezel", 22, 22, 17), circle("part-gold", 22, 22, 11), circle("part-chip", 22, 22, 3));

/**
 * Faults of each part: the verb that begins one, the verb that ends it (none: it passes by itself), and its word in
 * `faultWords` while it lasts.
 */
const FAULTS = {
  plug: [{ begin: "pull-out", end: "plug-in", word: "board-out" }],
  cable: [{ begin: "noise", end: "calm", word: "noisy" }],
  board: [{ begin: "reset-board" }],
  reader: [{ begin: "deafen", end: "hear", word: "deaf" }, { begin: "tear" }, { begin: "cross-talk" }],
  button: [{ begin: "stick", end: "free", word: "stuck" }, { begin: "static" }],
  switch: [{ begin: "hang-switch", end: "restart-switch", word: "hung" }],
  "controller-plug": [{ begin: "pull-controller", end: "plug-controller", word: "board-out" }],
  "display-plug": [{ begin: "unplug-display", end: "plug-display", word: "board-out" }],
  program: [{ begin: "kill" }],
  disk: [{ begin: "fill-disk", end: "free-disk", word: "full" }],
};
/** New tags are tapped where cards are enrolled. */
const OF_DISCARD_READER = [{ begin: "new-tag" }];
/** The simulator doesn't know a boxed reader down to the air. */
const OF_BOXED_READER = FAULTS.reader.filter(({ begin }) => begin !== "cross-talk");

const I2C_WIRES = 4;
/** The bus of a reader without a board, by the kind of its driver, and its lead. */
const LEADS = {
  i2c: { bus: "I²C", lead: drawLead(I2C_WIRES) },
  pcsc: { bus: "USB", lead: drawLead(1) },
  spi: { bus: "SPI", lead: drawLead(6) },
};
const leadOf = ({ bus }) => LEADS[bus] ?? LEADS.spi;

/** Describes a reader as a part: its `faults` (and `more`), its current `faultWords`, and its drawing. */
const reader = (state, { more = [], ...extra } = {}) => ({
  name: "reader",
  faults: [...(state.bus === "pcsc" ? OF_BOXED_READER : FAULTS.reader), ...more],
  faultWords: state.deaf ? ["deaf"] : [],
  drawing: drawReader(state.deaf, state.cards.length > 0, false, null),
  ...extra,
});

/**
 * Describes a seat as a row, which hangs on the Pi by one lead (a part, or only a drawing): its plug, the parts on its
 * board, and beside it what hangs on a `pin` or USB port of the Pi. In the full build the reader is on a board of its own,
 * else it hangs on the Pi.
 */
const seatRow = (state, colourOf) => {
  const isOut = state.board === "out";
  const button = {
    name: "button",
    faultWords: state.stuck ? ["stuck"] : [],
    drawing: drawButton(state.lamp.lit, state.stuck),
  };
  if (state.board === null) {
    return { pad: state.seat, ...leadOf(state), board: [reader(state)], pin: button };
  }
  const faultWords = isOut ? ["board-out"] : [];
  const colour = isOut ? null : colourOf(state.ring.pattern);
  return {
    pad: state.seat,
    bus: "USB",
    lead: { name: "cable", faultWords: state.noisy ? ["noisy"] : [], drawing: drawLead(1, state.noisy) },
    plug: { name: "plug", faultWords, drawing: drawPlug(isOut) },
    board: [
      { name: "board", faultWords, drawing: drawBoard(isOut) },
      reader(state, { drawing: drawReader(state.deaf, state.cards.length > 0, true, colour) }),
    ],
    pin: button,
  };
};

/** Describes a switch as a row; its faults are those of the first pad behind it. */
const switchRow = ({ pads, hung }) => ({
  id: `switch-${pads[0]}`,
  word: "part-switch",
  pad: pads[0],
  bus: "I²C",
  lead: drawLead(I2C_WIRES),
  board: [{ name: "switch", faultWords: hung ? ["hung"] : [], drawing: drawSwitch(hung) }],
});

/** Describes a controller as a row; its plug is pulled by the first seat whose button is on it. */
const controllerRow = ({ seats, plugged }) => {
  const faultWords = plugged ? [] : ["board-out"];
  return {
    id: `controller-${seats[0]}`,
    word: "part-controller",
    pad: seats[0],
    bus: "USB",
    lead: drawLead(1),
    plug: { name: "controller-plug", faultWords, drawing: drawPlug(!plugged) },
    board: [{ name: "controller", faultWords, drawing: drawController() }],
  };
};

const rowsOf = (hardware, colourOf) => {
  const isOut = hardware.display === "out";
  return [
    {
      pad: null,
      bus: "I²C",
      lead: drawLead(I2C_WIRES),
      plug: { name: "display-plug", faultWords: isOut ? ["board-out"] : [], drawing: drawPlug(isOut) },
      board: [{ name: "display", faultWords: [], drawing: drawDisplay(isOut) }],
    },
    {
      ...leadOf(hardware.discard),
      pad: "discard",
      board: [reader(hardware.discard, { more: OF_DISCARD_READER })],
      pin: hardware.sounder && { name: "sounder", faultWords: [], drawing: drawSounder() },
    },
    ...hardware.switches.map(switchRow),
    ...hardware.controllers.map(controllerRow),
    ...hardware.pads.map((state) => ({ ...leadOf(state), pad: state.pad, board: [reader(state)] })),
    ...hardware.seats.map((state) => seatRow(state, colourOf)),
  ];
};

/** Returns the parts of the Pi itself. */
const partsOfPi = ({ daemon, disk }) => [
  { name: "program", faultWords: [], drawing: drawProgram(daemon === "down") },
  { name: "disk", faultWords: disk === "full" ? ["full"] : [], drawing: drawDisk(disk === "full") },
];

/** Adds the workbench to the tabs. */
export const makeWorkbench = (page) => {
  const { live, store, slots, words, about } = page;
  const { say } = words;
  const place = el("div", { class: "root" });
  const wire = el("div", { class: "bench-foot" }, makeWire(page));
  let lastAnswer = null;
  let sentFault = "";
  /** The part whose faults are listed. */
  let chosen = "";

  const ask = async ({ begin }, fault, pad) => {
    sentFault = `${fault} ${pad}`;
    draw();
    const answer = await live.ask({ do: "fault", fault, ...(pad === null ? {} : { pad }) });
    sentFault = "";
    const watch = answer.ok && fault === begin ? say(`page watch-${begin}`) : "";
    lastAnswer = { ok: answer.ok, text: `${(answer.ok ? answer.done : answer.why) ?? ""} ${watch}` };
    draw();
  };
  const choose = (id) => {
    chosen = chosen === id ? "" : id;
    draw();
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape" && chosen !== "") {
      event.stopPropagation();
      place.querySelector('[aria-expanded="true"]').focus();
      choose(chosen);
    }
  };

  const padName = (pad) => (typeof pad === "number" ? say("pad seat", { number: pad }) : say(`pad ${pad}`));
  const nameWithPad = (name, pad) => (pad === null ? name : `${name}, ${padName(pad)}`);
  const idOf = ({ name }, pad) => `${name} ${pad}`;
  const faultsOf = ({ name, faults = FAULTS[name] }) => faults ?? [];

  /** Draws a fault as a button, which begins or ends it. */
  const drawFault = (fault, { faultWords }, pad, attributesFor, ...inside) => {
    const isActive = faultWords.includes(fault.word);
    const verb = isActive ? fault.end : fault.begin;
    const name = say(`page fault-${verb}`);
    return html`
      <button type="button" key=${fault.begin} data-fault=${verb} data-at=${pad} data-on=${isActive}
        data-sent=${sentFault === `${verb} ${pad}` ? "true" : null} aria-label=${nameWithPad(name, pad)}
        onClick=${() => ask(fault, verb, pad)} ...${attributesFor(name)}>
        ${inside.length > 0 ? inside : name}
      </button>
    `;
  };
  /** Draws a part. A plug is pulled at once; any other part lists its faults; a part without faults is only drawn. */
  const drawPart = (part, pad) => {
    const { name, faultWords, drawing } = part;
    if (name.endsWith("plug")) {
      return drawFault(FAULTS[name][0], part, pad, (title) => ({ class: "part", title }), drawing);
    }
    if (faultsOf(part).length === 0) {
      return html`<span class="part" key=${name}>${drawing}</span>`;
    }
    const faultNames = faultWords.map((word) => say(`page wrong-${word}`));
    const title = [nameWithPad(say(`page part-${name}`), pad), ...faultNames].join(", ");
    return html`
      <button class="part" type="button" key=${name} data-part=${name} data-at=${pad} title=${title} aria-label=${title}
        data-on=${faultWords.length > 0} aria-expanded=${chosen === idOf(part, pad)} onClick=${() => choose(idOf(part, pad))}>
        ${drawing}
      </button>
    `;
  };
  /** Draws the faults of the chosen part, if it is one of these. */
  const drawChosen = (parts, pad) => {
    const part = parts.find((each) => idOf(each, pad) === chosen);
    if (part === undefined) {
      return null;
    }
    const name = nameWithPad(say(`page part-${part.name}`), pad);
    return html`
      <div class="bench-faults" role="group" aria-label=${name}>
        <strong class="bench-faults-of">${name}</strong>
        ${faultsOf(part).map((fault) => drawFault(fault, part, pad, () => ({ class: "fault-button" })))}
      </div>
    `;
  };
  const drawLabel = ({ pad, bus, word }) => {
    const name = word ? say(`page ${word}`) : typeof pad === "string" ? say(`pad ${pad}`) : pad;
    return html`<span class="bench-label" aria-hidden="true"><small>${bus}</small> ${name}</span>`;
  };
  const drawRow = (row) => {
    const { pad, lead, plug, board, pin } = row;
    const isCable = lead.name !== undefined;
    const parts = [isCable && lead, plug, ...board, pin].filter(Boolean);
    return html`
      <div class="bench-row" role="group" key=${row.id ?? pad} data-row=${row.id ?? pad ?? "display"} data-bus=${row.bus}
        aria-label=${row.word ? nameWithPad(say(`page ${row.word}`), pad) : pad === null ? say("page oled") : padName(pad)} data-out=${plug?.faultWords.length > 0}>
        <span class="bench-lead">${isCable ? drawPart(lead, pad) : lead} ${drawLabel(row)}</span>
        ${plug && drawPart(plug, pad)}
        <span class="bench-board">${board.map((part) => drawPart(part, pad))}</span>
        ${pin && html`<span class="bench-pin">${drawPart(pin, pad)}</span> <i class="bench-pin-lead"></i>`}
        ${drawChosen(parts, pad)}
      </div>
    `;
  };

  const colourOf = (pattern) => about.demo.rings.patterns[pattern]?.colour ?? null;
  const draw = drawInTab(page, "workbench", place, ["hardware"], () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return null;
    }
    const pi = partsOfPi(hardware);
    return html`
      <p class="bench-done" role="status" data-ok=${lastAnswer?.ok}>${lastAnswer?.text ?? say("page bench-text")}</p>
      <div class="bench-drawing" onKeyDown=${closeOnEscape}>
        <div class="bench-pi" role="group" aria-label="Raspberry Pi">
          ${pi.map((part) => drawPart(part, null))}
          <span class="bench-pi-name" aria-hidden="true">Raspberry Pi</span>
        </div>
        <div class="bench-rows">${drawChosen(pi, null)} ${rowsOf(hardware, colourOf).map(drawRow)}</div>
      </div>
    `;
  });
  slots.tabs.add("workbench", "page tab-workbench", el("div", { class: "stack gap-s bench" }, place, wire));
};
