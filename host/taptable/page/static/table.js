// The table seen from above: what is waited for, the middle with its piles, and the places of the teams, each with its
// seats and its rows. It must not know how any of these is drawn.

import { makeCentre } from "./centre.js";
import { padsThatCount } from "./counts.js";
import { el } from "./elements.js";
import { draw, html } from "./html.js";
import { makePrompt } from "./prompt.js";
import { drawMat } from "./rows.js";
import { drawSeat } from "./seat.js";

const NO_TURN = { seat: null, allowance_left: 0, pending: null, paused: false, over: false, checking: null, consent: null };
/** More places than this stand in two columns. */
const ONE_COLUMN = 3;

/**
 * In which order so many places are drawn, line by line, as offsets clockwise from the own one: that is the last in a
 * single column, and at the lower left of two, from where the others follow round the table.
 */
export const orderOf = (places) => {
  if (places <= ONE_COLUMN) {
    return [...Array(places).keys()].map((at) => (at + 1) % places);
  }
  const lines = Math.ceil(places / 2);
  return [...Array(lines).keys()].flatMap((line) => [lines - 1 - line, lines + line]).filter((offset) => offset < places);
};

/** The table in `root`. */
export const makeTable = (root, page) => {
  const { store, slots, words } = page;
  const prompt = el("div", { class: "prompt" });
  const centre = el("div", { class: "centre" });
  const places = el("div", { class: "places" });
  root.replaceChildren(prompt, el("div", { class: "cloth" }, centre, places));
  makePrompt(prompt, page);
  makeCentre(centre, page);

  const drawAll = () => {
    const table = store.get("table");
    const teams = store.get("teams") ?? [];
    if (table === undefined || teams.length === 0) {
      return;
    }
    const seats = new Map((store.get("seats") ?? []).map((seat) => [seat.seat, seat]));
    const turn = store.get("turn") ?? NO_TURN;
    const window = store.get("window") ?? null;
    const own = teams.findIndex((team) => team.seats.includes(Math.min(slots.ownSeat(), table.players)));
    const shared = teams.some((team) => team.seats.length > 1);
    const counting = padsThatCount(store.get("counts"));
    const drawPlace = (index) => {
      const team = teams[index];
      const there = team.seats.filter((number) => seats.has(number));
      const seat = (number) => drawSeat(page, seats.get(number), { turn, window, place: team.place });
      return html`
        <section class="place" key=${index} data-of-team=${index} data-won=${team.place === 1 ? "true" : null}
          data-turn=${!turn.over && team.seats.includes(turn.seat)} data-mine=${team.seats.some(slots.isMine)}
          data-counts=${team.seats.some((seat) => counting.includes(seat))}>
          <div class="plate"><div class="place-seats">${there.map(seat)}</div>${drawMat(page, team, index, shared)}</div>
        </section>
      `;
    };
    draw(places, orderOf(teams.length).map((offset) => drawPlace((own + offset) % teams.length)));
    Object.assign(root.dataset, {
      seats: table.players,
      places: teams.length,
      shared,
      paused: turn.paused,
      over: turn.over,
      countdown: window === null ? "none" : window.claimant === null ? "open" : "claim",
    });
    root.setAttribute("aria-label", words.say("page table"));
  };

  const soon = () => store.soon(drawAll);
  ["table", "seats", "teams", "counts", "turn", "window", "names", "people"].forEach((name) => store.on(name, soon));
  slots.onTurned(soon);
};
