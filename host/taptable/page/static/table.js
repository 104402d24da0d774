// The table seen from above: plates of the seats round it, mats of the teams, the middle between them. It must not know
// how a plate, a mat or the middle is drawn.

import { makeCentre } from "./centre.js";
import { draw } from "./html.js";
import { drawMat } from "./rows.js";
import { drawSeat } from "./seat.js";

const NO_TURN = { seat: null, allowance_left: 0, pending: null, paused: false, over: false, checking: null, consent: null };

/** Seats of the far and the near edge, left to right, by number of players: the own seat is place 0, clockwise on. */
const FAR = { 2: [1], 3: [1, 2], 4: [2], 5: [2, 3], 6: [2, 3, 4] };
const NEAR = { 2: [0], 3: [0], 4: [1, 0, 3], 5: [1, 0, 4], 6: [1, 0, 5] };

/** Which seats sit where: `{far, near}` for so many players with seat `own` at the bottom. */
export const seating = (players, own) => {
  const turn = (place) => ((own - 1 + place) % players) + 1;
  return { far: (FAR[players] ?? []).map(turn), near: (NEAR[players] ?? [0]).map(turn) };
};

/** The same seats one after the other, the own one first. */
export const queue = (players, own) => ({
  far: [],
  near: Array.from({ length: players }, (_, place) => ((own - 1 + place) % players) + 1),
});

/** The table in `root`. */
export const makeTable = (root, page) => {
  const { store, slots, words, about } = page;
  const narrow = matchMedia("(width < 56.25rem)");
  const [far, near, mats] = ['[data-edge="far"]', '[data-edge="near"]', "[data-mats]"].map((hook) =>
    root.querySelector(hook),
  );
  makeCentre(root.querySelector("[data-centre]"), page);

  const drawAll = () => {
    const table = store.get("table");
    if (table === undefined) {
      return;
    }
    const own = Math.min(slots.ownSeat(), table.players);
    // a phone has no room for a table seen from above, and nobody there needs the hands of an extension
    const inARow = about.extension === null && narrow.matches;
    const edges = (inARow ? queue : seating)(table.players, own);
    const shared = table.teams.some((team) => team.length > 1);
    const turn = store.get("turn") ?? NO_TURN;
    const window = store.get("window") ?? null;
    const teams = store.get("teams") ?? [];
    const seats = new Map((store.get("seats") ?? []).map((seat) => [seat.seat, seat]));
    const matOf = (team) => teams[team] && drawMat(page, teams[team], team, shared);
    const plate = (number) => {
      const seat = seats.get(number);
      const place = teams[seat.team]?.place ?? null;
      return drawSeat(page, seat, { turn, window, shared, place, mat: !shared && matOf(seat.team) });
    };
    draw(far, edges.far.filter((number) => seats.has(number)).map(plate));
    draw(near, edges.near.filter((number) => seats.has(number)).map(plate));
    draw(mats, shared && teams.map((_, team) => matOf(team)));
    Object.assign(root.dataset, {
      seats: table.players,
      shared,
      paused: turn.paused,
      over: turn.over,
      countdown: window === null ? "none" : window.claimant === null ? "open" : "claim",
    });
    root.setAttribute("aria-label", words.say("page table"));
  };

  const soon = () => store.soon(drawAll);
  ["table", "seats", "teams", "turn", "window", "names"].forEach((name) => store.on(name, soon));
  narrow.addEventListener("change", soon);
  slots.onTurned(soon);
};
