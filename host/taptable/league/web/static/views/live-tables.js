// The live tables: all tables with their running games, as large as the screen allows. Each table is a part of its own,
// so a change redraws that table only. It must not know the games' rules.

import { draw, el, html, icon, tool } from "/static/html.js";
import { badge, formatDuration } from "/static/names.js";
import { memberName } from "../lists.js";

/** A table that sent nothing for this long counts as quiet, whatever its state. */
const QUIET_S = 600;
/** A table's size in em of its own font: its width, its height without teams, and the height of each team. */
const TABLE_WIDTH = 19;
const HEAD_HEIGHT = 5.6;
const TEAM_HEIGHT = 1.95;
const GAP_PX = 12;
const MAX_STRETCH = 1.5;
/** Free space below the tables. */
const BELOW_PX = 20;
const MIN_PX = 14;
/** Names with more characters than this are drawn smaller. */
const MAX_NAME_LENGTH = 16;
const MAX_PX = 46;

const stateOf = (table, nowS) => {
  if (table.game === null) {
    return "none";
  }
  if (table.teams === undefined) {
    return table.proof; // the state of the game is unknown
  }
  if (table.over) {
    return "over";
  }
  if (table.status !== "running" || nowS - (table.heard ?? nowS) > QUIET_S) {
    return "quiet";
  }
  return table.paused ? "paused" : "plays";
};

/**
 * Returns `{columns, px}`: the number of columns with which `count` tables of at most `teams` teams are largest in
 * `width` × `height` px, and their font size.
 */
export const fit = (count, teams, width, height) => {
  const tableHeight = HEAD_HEIGHT + TEAM_HEIGHT * teams;
  const sizes = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1;
    const rows = Math.ceil(count / columns);
    const across = (width - GAP_PX * (columns - 1)) / columns / TABLE_WIDTH;
    const down = (height - GAP_PX * (rows - 1)) / rows / tableHeight;
    return { columns, px: Math.min(across, down, MAX_PX) };
  });
  const best = sizes.reduce((team, other) => (other.px > team.px ? other : team));
  if (best.px >= MIN_PX) {
    return best;
  }
  // Too many for one screen: as many columns as stay readable. The rest is reached by scrolling.
  return { columns: Math.max(1, Math.floor((width + GAP_PX) / (TABLE_WIDTH * MIN_PX + GAP_PX))), px: MIN_PX };
};

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeLiveTables = (page) => {
  const { store, words } = page;
  const { say } = words;
  const root = document.documentElement;
  const bar = el("div", { class: "beside apart wall-bar" });
  const list = el("ul", { class: "wall", data: { wall: "" } });
  const empty = el("p", { class: "soft", data: { wallEmpty: "" } });
  const element = el("div", { class: "stack wall-view" }, bar, empty, list);
  const known = new Set();
  let timer = 0;

  const drawTeam = (table, team) => {
    const players = team.seats.map((seat) => table.players[seat - 1] ?? null);
    const name = (member, at) =>
      member === null ? say("page seat", { seat: team.seats[at] }) : memberName(words, member);
    const who = players.map(name).join(" + ");
    const turn = team.seats.includes(table.seat);
    return html`
      <li class="wall-team" key=${team.seats.join()} data-leads=${team.leads} data-turn=${turn}>
        <span class="beside gap-none wall-seats">${team.seats.map(badge)}</span>
        <span class="wall-who" title=${who} data-long=${who.length > MAX_NAME_LENGTH}><span>${who}</span></span>
        ${turn && html`<span class="wall-turn" title=${say("page on-turn")}>${icon("turn")}<span class="visually-hidden">${say("page on-turn")}</span></span>`}
        ${team.place === 1 && icon("laurel", "icon laurel")}
        <span class="wall-score digits" key=${team.score}>
          <strong>${team.score}</strong><span class="wall-unit"> ${say(`unit ${table.unit}`)}</span>
        </span>
        ${team.need > 0 &&
        html`<span class="wall-track" aria-hidden="true"><span style=${{ inlineSize: `${(100 * team.have) / team.need}%` }}></span></span>`}
      </li>
    `;
  };
  const drawTable = (table, nowS) => {
    const state = stateOf(table, nowS);
    const text =
      state === "plays" || state === "over"
        ? table.said
        : say(state.startsWith("not-") ? `league ${state}` : `league wall-${state}`);
    const inside = html`
      <p class="beside apart wall-head">
        <strong class="wall-name" title=${table.name}>${table.name}</strong>
        <span class="soft wall-game">${table.game === null ? "" : say(`game ${table.game}`)}</span>
      </p>
      ${table.teams && html`<ol class="wall-teams" style=${{ "--teams": table.teams.length }}>${table.teams.map((team) => drawTeam(table, team))}</ol>`}
      <p class="beside wall-status">
        ${table.window && state === "plays" && icon("bolt")}<span class="wall-now" title=${text}>${text}</span>
        ${table.teams !== undefined && html`<span class="soft digits">${formatDuration(table.at_us)}</span>`}
      </p>
    `;
    return html`
      <li key=${table.id} class="wall-item" data-at-table=${table.id} data-state=${state}
        data-window=${table.window === true && state === "plays"}>
        ${table.number === undefined
          ? html`<div class="wall-table">${inside}</div>`
          : html`<a class="wall-table" href=${`#games/${table.number}`}>${inside}</a>`}
      </li>
    `;
  };

  const toggleFullScreen = async () => {
    if (document.fullscreenElement !== null) {
      await document.exitFullscreen();
      return;
    }
    root.dataset.full = "true";
    try {
      await root.requestFullscreen();
    } catch {
      updateFit(); // A browser may refuse full screen. Then the tables fill the window.
    }
  };
  const leaveFullScreen = () => {
    root.dataset.full = "false";
    updateFit();
  };
  document.addEventListener("fullscreenchange", () => document.fullscreenElement === null && leaveFullScreen());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.dataset.full === "true") {
      leaveFullScreen();
    }
  });

  const shownTables = () =>
    (store.get("wall")?.tables ?? []).map((id) => store.get(`wall ${id}`)).filter((table) => table !== undefined);

  const updateFit = () => {
    const tables = shownTables();
    const teams = Math.max(2, ...tables.map((table) => table.teams?.length ?? 0));
    const place = element.closest("[data-views]");
    if (place === null || element.clientWidth === 0) {
      return;
    }
    const height = place.clientHeight - (list.getBoundingClientRect().top - place.getBoundingClientRect().top) - place.scrollTop;
    const narrow = matchMedia("(width < 56.25rem)").matches;
    const { columns, px } = narrow ? { columns: 1, px: 0 } : fit(tables.length, teams, element.clientWidth, height - BELOW_PX);
    list.style.setProperty("--wall-columns", String(columns));
    list.style.fontSize = narrow ? "" : `${px.toFixed(2)}px`;
    // the tables grow into the free height, up to `MAX_STRETCH` times their own
    const rows = Math.ceil(tables.length / columns);
    const maxHeight = rows * (HEAD_HEIGHT + TEAM_HEIGHT * teams) * px * MAX_STRETCH + GAP_PX * (rows - 1);
    list.style.minBlockSize = narrow ? "" : `${Math.min(height - BELOW_PX, maxHeight)}px`;
  };

  const drawAll = () => {
    const { tables = [], of = 0 } = store.get("wall") ?? {};
    tables.filter((id) => !known.has(id)).forEach((id) => {
      known.add(id);
      store.on(`wall ${id}`, scheduleDraw);
    });
    const nowS = Date.now() / 1000;
    const shown = shownTables();
    const playing = shown.filter((table) => ["plays", "paused"].includes(stateOf(table, nowS))).length;
    const some = tables.length < of ? say("league wall-some", { number: tables.length, of }) : "";
    draw(
      bar,
      html`
        <p class="soft" data-wall-count>${[say("league wall-count", { playing, number: of }), some].filter(Boolean).join(" ")}</p>
        ${tool("full-screen", say("league full-screen"), toggleFullScreen)}
      `,
    );
    empty.textContent = store.get("wall") !== undefined && of === 0 ? say("league wall-empty") : "";
    draw(list, shown.map((table) => drawTable(table, nowS)));
    updateFit();
  };
  const scheduleDraw = () => store.schedule(drawAll);
  store.on("wall", scheduleDraw);
  words.onChange(scheduleDraw);
  new ResizeObserver(() => store.schedule(updateFit)).observe(element);

  return {
    element,
    opened: () => {
      scheduleDraw();
      timer = setInterval(scheduleDraw, 30_000); // to notice tables that have gone quiet
    },
    closed: () => {
      clearInterval(timer);
      leaveFullScreen();
    },
  };
};
