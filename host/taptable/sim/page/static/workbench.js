// The workbench: every fault of the simulator by a click, with its state and what to watch for; and the live wire.
// Knows which fault ends which, and nothing of how the table copes.

import { el } from "/static/elements.js";
import { html, keep } from "/static/html.js";
import { makeWire } from "./wire.js";

/**
 * Faults of a seat: what begins it, what ends it (none: it passes by itself), whether it is there.
 * @type {{begin: string, end?: string, there?: (seat: any) => boolean, boards?: boolean}[]}
 */
const OF_A_SEAT = [
  { begin: "pull-out", end: "plug-in", there: (seat) => seat.board === "out", boards: true },
  { begin: "reset-board", boards: true },
  { begin: "deafen", end: "hear", there: (seat) => seat.deaf },
  { begin: "noise", end: "calm", there: (seat) => seat.noisy, boards: true },
  { begin: "tear" },
  { begin: "cross-talk" },
  { begin: "stick", end: "free", there: (seat) => seat.stuck },
  { begin: "static" },
];

const OF_THE_TABLE = [
  { begin: "new-tag" },
  { begin: "unplug-display", end: "plug-display", there: (hardware) => hardware.display === "out" },
  { begin: "deafen-discard", end: "hear-discard", there: (hardware) => hardware.discard.deaf },
  { begin: "fill-disk", end: "free-disk", there: (hardware) => hardware.disk === "full" },
  { begin: "kill" },
];

/**
 * Add the workbench to the tabs.
 * @param {any} page
 */
export const makeWorkbench = (page) => {
  const { live, store, slots, words } = page;
  const { say } = words;
  const place = el("div", { class: "root" });
  const wire = el("div", { class: "bench-foot" }, makeWire(page).element);
  let done = null;
  let sent = "";

  const ask = async (fault, seat) => {
    sent = `${fault} ${seat}`;
    draw();
    const answer = await live.ask({ do: "fault", fault, ...(seat === undefined ? {} : { seat }) });
    sent = "";
    done = { ok: answer.ok, text: (answer.ok ? answer.done : answer.why) ?? "" };
    draw();
  };
  const button = ({ begin, end, there }, state) => {
    const on = there?.(state) ?? false;
    const fault = on ? end : begin;
    const { seat } = state;
    const name = say(`page fault-${fault}`);
    return html`
      <button class="fault-button" type="button" data-fault=${fault} data-at=${seat} data-on=${on} title=${name}
        data-sent=${sent === `${fault} ${seat}` ? "true" : null} onClick=${() => ask(fault, seat)}
        aria-label=${seat === undefined ? name : say("page fault-at", { fault: name, seat })}>
        ${seat === undefined ? name : `${on ? "↺ " : ""}${seat}`}
      </button>
    `;
  };
  /** One fault: what to watch for, and its name with a button for each seat, or a button with its name for the table. */
  const drawFault = (fault, states, ofSeat) => html`
    <div class="fault" role="group" key=${fault.begin} data-of=${fault.begin} aria-label=${say(`page fault-${fault.begin}`)}>
      ${ofSeat && html`<strong class="fault-name">${say(`page fault-${fault.begin}`)}</strong>`}
      <p class="fault-watch">${say(`page watch-${fault.begin}`)}</p>
      <div class="cluster gap-xs">${states.map((state) => button(fault, state))}</div>
    </div>
  `;
  const draw = keep(place, page, ["hardware"], () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return null;
    }
    const boards = hardware.seats.some((seat) => seat.board !== null);
    const ofSeats = OF_A_SEAT.filter((fault) => boards || !fault.boards);
    return html`
      <p class="bench-done" role="status" data-ok=${done?.ok}>${done?.text ?? say("page bench-nothing")}</p>
      <div class="stack gap-s">
        <p class="soft small">${say("page bench-text")}</p>
        <h3 class="bench-title">${say("page bench-seats")}</h3>
        ${ofSeats.map((fault) => drawFault(fault, hardware.seats, true))}
        <h3 class="bench-title">${say("page bench-table")}</h3>
        ${OF_THE_TABLE.map((fault) => drawFault(fault, [hardware], false))}
      </div>
    `;
  });
  slots.tabs.add("workbench", "page tab-workbench", el("div", { class: "stack gap-s bench" }, place, wire));
};
