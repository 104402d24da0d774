// The wall: all tables as they play now, as large as the screen allows. Each table is a part of its own, so that what
// changes at one is drawn there alone. It must not know the games' rules.

import { draw, el, html, sign, tool } from "/static/html.js";
import { badge, clock } from "/static/names.js";
import { called } from "../lists.js";

/** A table that wasn't heard for so long is quiet, whatever it was doing. */
const QUIET_S = 600;
/** What a table takes, in letters of its own size: across, without its teams, and for each team. */
const WIDE = 19;
const HEAD = 5.6;
const LINE = 1.95;
const GAP_PX = 12;
const STRETCH = 1.5;
/** What stays free below the wall. */
const BELOW_PX = 20;
const LEAST_PX = 14;
/** Letters of names beyond which they are smaller. */
const LONG = 16;
const MOST_PX = 46;

const stateOf = (told, nowS) => {
  if (told.game === null) {
    return "none";
  }
  if (told.teams === undefined) {
    return told.proof; // nobody knows how it stands
  }
  if (told.over) {
    return "over";
  }
  if (told.status !== "running" || nowS - (told.heard ?? nowS) > QUIET_S) {
    return "quiet";
  }
  return told.paused ? "paused" : "plays";
};

/** In how many columns so many tables with at most so many teams are largest on a screen, and how large their letters. */
export const fit = (count, teams, width, height) => {
  const high = HEAD + LINE * teams;
  const sizes = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1;
    const rows = Math.ceil(count / columns);
    const across = (width - GAP_PX * (columns - 1)) / columns / WIDE;
    const down = (height - GAP_PX * (rows - 1)) / rows / high;
    return { columns, px: Math.min(across, down, MOST_PX) };
  });
  const best = sizes.reduce((one, other) => (other.px > one.px ? other : one));
  if (best.px >= LEAST_PX) {
    return best;
  }
  // too many for the screen: as many beside each other as can be read, and the rest below
  return { columns: Math.max(1, Math.floor((width + GAP_PX) / (WIDE * LEAST_PX + GAP_PX))), px: LEAST_PX };
};

/** The view for `page`: `{element, opened, closed}`. */
export const makeWall = (page) => {
  const { store, words } = page;
  const { say } = words;
  const root = document.documentElement;
  const bar = el("div", { class: "beside apart wall-bar" });
  const list = el("ul", { class: "wall", data: { wall: "" } });
  const empty = el("p", { class: "soft", data: { wallEmpty: "" } });
  const element = el("div", { class: "stack wall-view" }, bar, empty, list);
  const known = new Set();
  let timer = 0;

  const team = (told, one) => {
    const players = one.seats.map((seat) => told.players[seat - 1] ?? null);
    const name = (member, at) => (member === null ? say("page seat", { seat: one.seats[at] }) : called(words, member));
    const who = players.map(name).join(" + ");
    const turn = one.seats.includes(told.seat);
    return html`
      <li class="wall-team" key=${one.seats.join()} data-leads=${one.leads} data-turn=${turn}>
        <span class="beside gap-none wall-seats">${one.seats.map(badge)}</span>
        <span class="wall-who" title=${who} data-long=${who.length > LONG}><span>${who}</span></span>
        ${turn && html`<span class="wall-turn" title=${say("page on-turn")}>${sign("turn")}<span class="unseen">${say("page on-turn")}</span></span>`}
        ${one.place === 1 && sign("laurel", "sign laurel")}
        <span class="wall-score digits" key=${one.score}>
          <strong>${one.score}</strong><span class="wall-unit"> ${say(`unit ${told.unit}`)}</span>
        </span>
        ${one.need > 0 &&
        html`<span class="wall-track" aria-hidden="true"><span style=${{ inlineSize: `${(100 * one.have) / one.need}%` }}></span></span>`}
      </li>
    `;
  };
  const table = (told, nowS) => {
    const state = stateOf(told, nowS);
    const said =
      state === "plays" || state === "over"
        ? told.said
        : say(state.startsWith("not-") ? `league ${state}` : `league wall-${state}`);
    const inside = html`
      <p class="beside apart wall-head">
        <strong class="wall-name" title=${told.name}>${told.name}</strong>
        <span class="soft wall-game">${told.game === null ? "" : say(`game ${told.game}`)}</span>
      </p>
      ${told.teams && html`<ol class="wall-teams" style=${{ "--teams": told.teams.length }}>${told.teams.map((one) => team(told, one))}</ol>`}
      <p class="beside wall-said">
        ${told.window && state === "plays" && sign("bolt")}<span class="wall-now" title=${said}>${said}</span>
        ${told.teams !== undefined && html`<span class="soft digits">${clock(told.at_us)}</span>`}
      </p>
    `;
    return html`
      <li key=${told.id} class="wall-item" data-at-table=${told.id} data-state=${state}
        data-window=${told.window === true && state === "plays"}>
        ${told.number === undefined
          ? html`<div class="wall-table">${inside}</div>`
          : html`<a class="wall-table" href=${`#games/${told.number}`}>${inside}</a>`}
      </li>
    `;
  };

  const fullScreen = async () => {
    if (document.fullscreenElement !== null) {
      await document.exitFullscreen();
      return;
    }
    root.dataset.full = "true";
    try {
      await root.requestFullscreen();
    } catch {
      fitAgain(); // a browser may forbid it: then the wall has the window to itself
    }
  };
  const narrower = () => {
    root.dataset.full = "false";
    fitAgain();
  };
  document.addEventListener("fullscreenchange", () => document.fullscreenElement === null && narrower());
  document.addEventListener("keydown", (event) => event.key === "Escape" && root.dataset.full === "true" && narrower());

  const shownTables = () =>
    (store.get("wall")?.tables ?? []).map((id) => store.get(`wall ${id}`)).filter((told) => told !== undefined);

  const fitAgain = () => {
    const tables = shownTables();
    const teams = Math.max(2, ...tables.map((told) => told.teams?.length ?? 0));
    const place = element.closest("[data-views]");
    if (place === null || element.clientWidth === 0) {
      return;
    }
    const height = place.clientHeight - (list.getBoundingClientRect().top - place.getBoundingClientRect().top) - place.scrollTop;
    const narrow = matchMedia("(width < 56.25rem)").matches;
    const { columns, px } = narrow ? { columns: 1, px: 0 } : fit(tables.length, teams, element.clientWidth, height - BELOW_PX);
    list.style.setProperty("--wall-columns", String(columns));
    list.style.fontSize = narrow ? "" : `${px.toFixed(2)}px`;
    // the tables grow into what is left of the screen, but not out of shape
    const rows = Math.ceil(tables.length / columns);
    const most = rows * (HEAD + LINE * teams) * px * STRETCH + GAP_PX * (rows - 1);
    list.style.minBlockSize = narrow ? "" : `${Math.min(height - BELOW_PX, most)}px`;
  };

  const drawAll = () => {
    const { tables = [], of = 0 } = store.get("wall") ?? {};
    tables.filter((id) => !known.has(id)).forEach((id) => {
      known.add(id);
      store.on(`wall ${id}`, soon);
    });
    const nowS = Date.now() / 1000;
    const shown = shownTables();
    const playing = shown.filter((told) => ["plays", "paused"].includes(stateOf(told, nowS))).length;
    const some = tables.length < of ? say("league wall-some", { number: tables.length, of }) : "";
    draw(
      bar,
      html`
        <p class="soft" data-wall-count>${[say("league wall-count", { playing, number: of }), some].filter(Boolean).join(" ")}</p>
        ${tool("full-screen", say("league full-screen"), fullScreen)}
      `,
    );
    empty.textContent = store.get("wall") !== undefined && of === 0 ? say("league wall-empty") : "";
    draw(list, shown.map((told) => table(told, nowS)));
    fitAgain();
  };
  const soon = () => store.soon(drawAll);
  store.on("wall", soon);
  words.onChange(soon);
  new ResizeObserver(() => store.soon(fitAgain)).observe(element);

  return {
    element,
    opened: () => {
      soon();
      timer = setInterval(soon, 30_000); // a table may have gone quiet
    },
    closed: () => {
      clearInterval(timer);
      narrower();
    },
  };
};
