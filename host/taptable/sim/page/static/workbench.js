// The workbench: the table's parts as a drawing on which plugs are pulled and parts are broken, with what to watch for;
// and the live wire. Knows which parts there are and which fault ends which, and nothing of how the table copes.

import { el } from "/static/elements.js";
import { html } from "/static/html.js";
import { keepInTab } from "/static/tabs.js";
import * as draws from "./parts.js";
import { makeWire } from "./wire.js";

/**
 * What can be done to each part: what begins it, what ends it (none: it passes by itself), and the word for it while it
 * is there.
 * @type {Record<string, {begin: string, end?: string, word?: string}[]>}
 */
const FAULTS = {
  plug: [{ begin: "pull-out", end: "plug-in", word: "board-out" }],
  cable: [{ begin: "noise", end: "calm", word: "noisy" }],
  board: [{ begin: "reset-board" }],
  reader: [{ begin: "deafen", end: "hear", word: "deaf" }, { begin: "tear" }, { begin: "cross-talk" }],
  button: [{ begin: "stick", end: "free", word: "stuck" }, { begin: "static" }],
  "display-plug": [{ begin: "unplug-display", end: "plug-display", word: "board-out" }],
  program: [{ begin: "kill" }],
  disk: [{ begin: "fill-disk", end: "free-disk", word: "full" }],
};
/** A new tag is tapped where cards are enrolled. */
const OF_DISCARD_READER = [...FAULTS.reader, { begin: "new-tag" }];

const I2C_WIRES = 4;
const SPI_WIRES = 6;

/**
 * A part: its `faults`, the words of those that are `there`, and its drawing.
 * @typedef {{name: string, there: string[], drawing: any, faults?: typeof FAULTS.plug}} Part
 * What hangs on the Pi by one lead: where that leads `to` (a part of its own, or what it is called), its plug, the parts
 * on its board, and what hangs on pins of the Pi beside it.
 * @typedef {{pad: number | string | null, bus: string, lead: Part | any, plug?: Part, board: Part[], pin?: Part}} Row
 */

const reader = (state, of = {}) => ({
  name: "reader",
  there: state.deaf ? ["deaf"] : [],
  drawing: draws.drawReader(state.deaf, state.cards.length > 0, false, null),
  ...of,
});

/** A seat: in the compact build its reader hangs on the Pi, else it is on a board of its own. */
const seatRow = (state, colourOf) => {
  const out = state.board === "out";
  const button = {
    name: "button",
    there: state.stuck ? ["stuck"] : [],
    drawing: draws.drawButton(state.lamp.lit, state.stuck),
  };
  if (state.board === null) {
    return { pad: state.seat, bus: "SPI", lead: draws.drawLead(SPI_WIRES), board: [reader(state)], pin: button };
  }
  const there = out ? ["board-out"] : [];
  const colour = out ? null : colourOf(state.ring.pattern);
  return {
    pad: state.seat,
    bus: "USB",
    lead: { name: "cable", there: state.noisy ? ["noisy"] : [], drawing: draws.drawLead(1, state.noisy) },
    plug: { name: "plug", there, drawing: draws.drawPlug(out) },
    board: [
      { name: "board", there, drawing: draws.drawBoard(out) },
      reader(state, { drawing: draws.drawReader(state.deaf, state.cards.length > 0, true, colour) }),
    ],
    pin: button,
  };
};

const rowsOf = (hardware, colourOf) => {
  const out = hardware.display === "out";
  const spi = { bus: "SPI", lead: draws.drawLead(SPI_WIRES) };
  return [
    {
      pad: null,
      bus: "I²C",
      lead: draws.drawLead(I2C_WIRES),
      plug: { name: "display-plug", there: out ? ["board-out"] : [], drawing: draws.drawPlug(out) },
      board: [{ name: "display", there: [], drawing: draws.drawDisplay(out) }],
    },
    {
      ...spi,
      pad: "discard",
      board: [reader(hardware.discard, { faults: OF_DISCARD_READER })],
      pin: { name: "sounder", there: [], drawing: draws.drawSounder() },
    },
    ...hardware.pads.map((state) => ({ ...spi, pad: state.pad, board: [reader(state)] })),
    ...hardware.seats.map((state) => seatRow(state, colourOf)),
  ];
};

/** The parts of the Pi itself. */
const ofPi = ({ daemon, disk }) => [
  { name: "program", there: [], drawing: draws.drawProgram(daemon === "down") },
  { name: "disk", there: disk === "full" ? ["full"] : [], drawing: draws.drawDisk(disk === "full") },
];

/**
 * Add the workbench to the tabs.
 * @param {any} page
 */
export const makeWorkbench = (page) => {
  const { live, store, slots, words, about } = page;
  const { say } = words;
  const place = el("div", { class: "root" });
  const wire = el("div", { class: "bench-foot" }, makeWire(page).element);
  let done = null;
  let sent = "";
  /** The part whose faults are shown. */
  let chosen = "";

  const ask = async ({ begin }, fault, pad) => {
    sent = `${fault} ${pad}`;
    draw();
    const answer = await live.ask({ do: "fault", fault, ...(pad === null ? {} : { pad }) });
    sent = "";
    const watch = answer.ok && fault === begin ? say(`page watch-${begin}`) : "";
    done = { ok: answer.ok, text: `${(answer.ok ? answer.done : answer.why) ?? ""} ${watch}` };
    draw();
  };
  const choose = (id) => {
    chosen = chosen === id ? "" : id;
    draw();
  };
  const close = (event) => {
    if (event.key === "Escape" && chosen !== "") {
      event.stopPropagation();
      place.querySelector('[aria-expanded="true"]').focus();
      choose(chosen);
    }
  };

  const where = (pad) => (typeof pad === "number" ? say("pad seat", { number: pad }) : say(`pad ${pad}`));
  const called = (name, pad) => (pad === null ? name : `${name}, ${where(pad)}`);
  const idOf = ({ name }, pad) => `${name} ${pad}`;
  const faultsOf = ({ name, faults = FAULTS[name] }) => faults ?? [];

  /** A fault as a button; it ends what is there. */
  const drawFault = (fault, { there }, pad, of, ...inside) => {
    const on = there.includes(fault.word);
    const does = on ? fault.end : fault.begin;
    const name = say(`page fault-${does}`);
    return html`
      <button type="button" key=${fault.begin} data-fault=${does} data-at=${pad} data-on=${on}
        data-sent=${sent === `${does} ${pad}` ? "true" : null} aria-label=${called(name, pad)}
        onClick=${() => ask(fault, does, pad)} ...${of(name)}>
        ${inside.length > 0 ? inside : name}
      </button>
    `;
  };
  /** A plug is pulled at once; any other part shows what can be done to it; some are only there. */
  const drawPart = (part, pad) => {
    const { name, there, drawing } = part;
    if (name.endsWith("plug")) {
      return drawFault(FAULTS[name][0], part, pad, (title) => ({ class: "part", title }), drawing);
    }
    if (faultsOf(part).length === 0) {
      return html`<span class="part" key=${name}>${drawing}</span>`;
    }
    const title = [called(say(`page part-${name}`), pad), ...there.map((word) => say(`page wrong-${word}`))].join(", ");
    return html`
      <button class="part" type="button" key=${name} data-part=${name} data-at=${pad} title=${title} aria-label=${title}
        data-on=${there.length > 0} aria-expanded=${chosen === idOf(part, pad)} onClick=${() => choose(idOf(part, pad))}>
        ${drawing}
      </button>
    `;
  };
  /** What can be done to the part that is chosen, if it is one of these. */
  const drawChosen = (parts, pad) => {
    const part = parts.find((each) => idOf(each, pad) === chosen);
    if (part === undefined) {
      return null;
    }
    const name = called(say(`page part-${part.name}`), pad);
    return html`
      <div class="bench-faults" role="group" aria-label=${name}>
        <strong class="bench-faults-of">${name}</strong>
        ${faultsOf(part).map((fault) => drawFault(fault, part, pad, () => ({ class: "fault-button" })))}
      </div>
    `;
  };
  const drawLabel = ({ pad, bus }) => {
    const name = typeof pad === "string" ? say(`pad ${pad}`) : pad;
    return html`<span class="bench-label" aria-hidden="true"><small>${bus}</small> ${name}</span>`;
  };
  const drawRow = (row) => {
    const { pad, lead, plug, board, pin } = row;
    const isCable = lead.name !== undefined;
    const parts = [isCable && lead, plug, ...board, pin].filter(Boolean);
    return html`
      <div class="bench-row" role="group" key=${pad} data-row=${pad ?? "display"} data-bus=${row.bus}
        aria-label=${pad === null ? say("page oled") : where(pad)} data-out=${plug?.there.length > 0}>
        <span class="bench-lead">${isCable ? drawPart(lead, pad) : lead} ${drawLabel(row)}</span>
        ${plug && drawPart(plug, pad)}
        <span class="bench-board">${board.map((part) => drawPart(part, pad))}</span>
        ${pin && html`<span class="bench-pin">${drawPart(pin, pad)}</span> <i class="bench-pin-lead"></i>`}
        ${drawChosen(parts, pad)}
      </div>
    `;
  };

  const colourOf = (pattern) => about.extension.rings.patterns[pattern]?.colour ?? null;
  const draw = keepInTab(page, "workbench", place, ["hardware"], () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return null;
    }
    const pi = ofPi(hardware);
    return html`
      <p class="bench-done" role="status" data-ok=${done?.ok}>${done?.text ?? say("page bench-text")}</p>
      <div class="bench-drawing" onKeyDown=${close}>
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
