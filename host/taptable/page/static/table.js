// The table seen from above: plates of the seats round it, mats of the teams, the middle between them. It must not know
// how a plate, a mat or the middle is drawn.

import { makeCentre } from "./centre.js";
import { setData } from "./elements.js";
import { makeMat } from "./rows.js";
import { makeSeat } from "./seat.js";

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
  const far = root.querySelector('[data-edge="far"]');
  const near = root.querySelector('[data-edge="near"]');
  const matsPlace = root.querySelector("[data-mats]");
  makeCentre(root.querySelector("[data-centre]"), page);
  let seats = new Map();
  let mats = [];
  let built = "";

  const build = (table, own, inARow) => {
    const { far: farSeats, near: nearSeats } = (inARow ? queue : seating)(table.players, own);
    seats = new Map([...farSeats, ...nearSeats].map((seat) => [seat, makeSeat(seat, page)]));
    mats = table.teams.map((_, index) => makeMat(index, page));
    far.replaceChildren(...farSeats.map((seat) => seats.get(seat).element));
    near.replaceChildren(...nearSeats.map((seat) => seats.get(seat).element));
    const shared = table.teams.some((team) => team.length > 1);
    setData(root, "seats", table.players);
    setData(root, "shared", String(shared));
    if (shared) {
      matsPlace.replaceChildren(...mats.map((mat) => mat.element));
    } else {
      matsPlace.replaceChildren();
      table.teams.forEach(([seat], index) => seats.get(seat).plate.append(mats[index].element));
    }
  };

  const draw = () => {
    const table = store.get("table");
    if (table === undefined) {
      return;
    }
    const own = Math.min(slots.ownSeat(), table.players);
    // a phone has no room for a table seen from above, and nobody there needs the hands of an annex
    const inARow = about.annex === null && narrow.matches;
    const wanted = JSON.stringify([table.players, table.teams, own, inARow]);
    if (wanted !== built) {
      built = wanted;
      build(table, own, inARow);
    }
    const shared = root.dataset.shared === "true";
    const turn = store.get("turn") ?? NO_TURN;
    const window = store.get("window") ?? null;
    const teams = store.get("teams") ?? [];
    (store.get("seats") ?? []).forEach((seat) => {
      const place = teams[seat.team]?.place ?? null;
      seats.get(seat.seat)?.draw({ seat, team: seat.team, turn, window, shared, place });
    });
    teams.forEach((team, index) => mats[index]?.draw(team, { shared }));
    setData(root, "paused", String(turn.paused));
    setData(root, "over", String(turn.over));
    setData(root, "countdown", window === null ? "none" : window.claimant === null ? "open" : "claim");
    root.setAttribute("aria-label", words.say("page table"));
  };

  const soon = () => store.soon(draw);
  ["table", "seats", "teams", "turn", "window", "names"].forEach((name) => store.on(name, soon));
  narrow.addEventListener("change", soon);
  slots.onTurned(soon);
};
