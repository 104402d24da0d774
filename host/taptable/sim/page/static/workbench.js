// The workbench: every fault of the simulator by a click, with its state and what to watch for; and the live wire.
// Knows which fault ends which, and nothing of how the table copes.

import { make, say, set } from "./dom.js";
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
export const makeWorkbench = ({ live, store, slots, words }) => {
  const done = make("p", { class: "bench-done", role: "status", word: "page bench-nothing" });
  const seatFaults = OF_A_SEAT.map((fault) => makeFault(fault, true));
  const tableFaults = OF_THE_TABLE.map((fault) => makeFault(fault, false));
  const faults = make(
    "div",
    { class: "faults" },
    make("p", { class: "bench-text", word: "page bench-text" }),
    make("h3", { class: "bench-title", word: "page bench-seats" }),
    ...seatFaults.map(({ element }) => element),
    make("h3", { class: "bench-title", word: "page bench-table" }),
    ...tableFaults.map(({ element }) => element),
  );
  const wire = makeWire({ live, store, words });
  const element = make("div", { class: "bench" }, done, faults, make("div", { class: "bench-foot" }, wire.element));

  faults.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-fault]");
    if (button === null) {
      return;
    }
    const { fault, at } = button.dataset;
    button.dataset.sent = "true";
    const answer = await live.ask({ do: "fault", fault, ...(at ? { seat: Number(at) } : {}) });
    delete button.dataset.sent;
    set(done, "data-ok", answer.ok);
    delete done.dataset.word;
    say(done, (answer.ok ? answer.done : answer.why) ?? "");
  });

  const draw = () => {
    const hardware = store.get("hardware");
    if (hardware === undefined) {
      return;
    }
    const boards = hardware.seats.some((seat) => seat.board !== null);
    seatFaults.forEach((fault) => fault.draw(hardware.seats, boards, words));
    tableFaults.forEach((fault) => fault.draw([hardware], boards, words));
  };
  store.on("hardware", draw);
  slots.tabs.add("workbench", "page tab-workbench", element);
  words.fill(element);
};

/** One fault: what to watch for, and its name with a button for each seat, or a button with its name for the table. */
const makeFault = ({ begin, end, there, boards: needsBoards }, ofSeat) => {
  const buttons = make("div", { class: "fault-buttons" });
  const element = make(
    "div",
    { class: "fault", role: "group", data: { of: begin } },
    ...(ofSeat ? [make("strong", { class: "fault-name", word: `page fault-${begin}` })] : []),
    make("p", { class: "fault-watch", word: `page watch-${begin}` }),
    buttons,
  );
  return {
    element,
    draw(states, boards, words) {
      element.hidden = Boolean(needsBoards) && !boards;
      set(element, "aria-label", words.say(`page fault-${begin}`));
      while (buttons.children.length > states.length) {
        buttons.lastChild.remove();
      }
      states.forEach((state, index) => {
        const button = buttons.children[index] ?? buttons.appendChild(make("button", { class: "fault-button" }));
        const on = there?.(state) ?? false;
        const fault = on ? end : begin;
        set(button, "data-fault", fault);
        set(button, "data-at", state.seat ?? null);
        set(button, "data-on", on);
        const name = words.say(`page fault-${fault}`);
        say(button, state.seat === undefined ? name : `${on ? "↺ " : ""}${state.seat}`);
        const { seat } = state;
        set(button, "aria-label", seat === undefined ? name : words.say("page fault-at", { fault: name, seat }));
        set(button, "title", name);
      });
    },
  };
};
