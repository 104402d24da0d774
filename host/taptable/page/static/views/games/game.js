// One finished or running game: its result, the course of scores and places, figures per player, its file, and the
// replay. It must not know the game's rules, nor how the game is fetched.

import { draw, el, html, icon, tool } from "../../html.js";
import { badge, formatDuration, gameFacts, makeTeamNames } from "../../names.js";
import { decisiveNote } from "../../table/rows.js";
import { makeTabs } from "../../tabs.js";
import { drawSample, makePlot } from "./plot.js";
import { makeReplay } from "./replay.js";

const US_PER_MS = 1000;
const US_PER_S = 1e6;
const TITLE = { time: "page figure-seconds", press: "page figure-ms" };

/** Draws a cell, by the figure's kind. */
const CELLS = {
  count: (words, value) => (value === 0 ? html`<span class="soft">0</span>` : String(value)),
  gain: (_, value) => `+${value}`,
  time: (words, value) => words.number(value / US_PER_S, 0),
  press: (words, [afterUs, uncertaintyUs]) => {
    const ms = words.number(uncertaintyUs / US_PER_MS, 1);
    return html`
      ${words.number(afterUs / US_PER_MS, 0)}
      <span class="soft figure-spread" aria-hidden="true">±${ms}</span>
      <span class="visually-hidden">, ${words.say("page figure-spread", { ms })}</span>
    `;
  },
};

/** Draws the table of `figures` for the players of `teams`. */
const drawFigures = (words, teams, figures) => {
  const none = html`<span aria-hidden="true">–</span><span class="visually-hidden">${words.say("page figure-none")}</span>`;
  const row = ({ key, kind, name, values }) => html`
    <tr data-figure=${key}>
      <th scope="row">${kind in TITLE ? words.say(TITLE[kind], { name }) : name}</th>
      ${values.map((value) => html`<td>${value === null ? none : CELLS[kind](words, value)}</td>`)}
    </tr>
  `;
  const player = (_, at) => html`
    <th scope="col">
      ${badge(at + 1)}
      <span class="visually-hidden">${teams.seat(at + 1)}</span>
      ${teams.nameAt(at + 1) !== "" && html`<span class="figure-player" aria-hidden="true">${teams.nameAt(at + 1)}</span>`}
    </th>
  `;
  return html`
    <table class="figures-table">
      <caption class="visually-hidden">${words.say("page figures")}</caption>
      <thead><tr><td></td>${figures[0].values.map(player)}</tr></thead>
      <tbody>${figures.map(row)}</tbody>
    </table>
  `;
};

const SCORE = 1;
const PLACE = 2;
const NAMES = { [SCORE]: "score", [PLACE]: "place" };

/** Returns a team's points `[µs, value]` in the plot, one per change; `which` is `SCORE` or `PLACE`. */
const pointsOf = (standings, team, which) => {
  const points = standings.map((standing) => [standing[0], standing[which][team]]);
  return points.filter(([, value], at) => at === 0 || value !== points[at - 1][1]);
};

/** Makes the course of a game: `{element, show(game, teams)}`. */
export const makeCourse = (words) => {
  const { say } = words;
  const plot = makePlot();
  const choice = el("div", { class: "cluster gap-xs game-choice", role: "group", "data-word-label": "page plot-of" });
  const rest = el("div", { class: "root" });
  const element = el("section", { class: "stack gap-s game-course" }, choice, plot.element, rest);
  let which = SCORE;

  const show = (game, teams) => {
    const { standings, milestones } = game;
    const unit = say(`unit ${game.teams[0].unit}`);
    const last = standings.at(-1);
    const caption = (kind) => say(`page plot-${NAMES[kind]}`, { unit });
    const changed = standings.filter((standing, at) => String(standing[which]) !== String(standings[at - 1]?.[which]));
    const values = game.teams.map(({ seats }, at) =>
      which === SCORE
        ? `${teams.name(seats)} ${last[SCORE][at]} ${unit}`
        : `${teams.name(seats)}: ${say("page place", { place: last[PLACE][at] })}`,
    );
    const choose = (kind) => {
      which = kind;
      show(game, teams);
    };

    draw(
      choice,
      [SCORE, PLACE].map(
        (kind) => html`
          <button class="tool" type="button" aria-pressed=${which === kind} data-plot=${NAMES[kind]}
            onClick=${() => choose(kind)}>
            ${caption(kind)}
          </button>
        `,
      ),
    );
    plot.show({
      label: `${caption(which)}: ${values.join(", ")}`,
      xTitle: say("page plot-minutes"),
      series: game.teams.map(({ seats }, at) => ({
        label: which === SCORE ? `${teams.short(seats)}: ${last[SCORE][at]}` : teams.short(seats),
        points: pointsOf(standings, at, which),
      })),
      endUs: game.played_us,
      events: milestones.map((milestone) => milestone.at_us),
      places: which === PLACE ? game.teams.length : null,
      number: (value) => words.number(value, [0, 1].find((digits) => Number.isInteger(value * 10 ** digits)) ?? 2),
    });

    const legend = ({ seats }, at) => html`
      <li class="beside">${drawSample(at)}<strong>${teams.short(seats)}</strong><span class="anywhere">${teams.name(seats)}</span></li>
    `;
    const row = (standing) => html`
      <tr><th scope="row">${formatDuration(standing[0])}</th>${game.teams.map((_, at) => html`<td>${standing[which][at]}</td>`)}</tr>
    `;
    const event = ({ at_us: atUs, step, text }) => html`
      <li>
        <a class="game-event" href=${`#games/${game.id}/replay/${step}`}>
          <span class="soft digits">${formatDuration(atUs)}</span><span>${text}</span>
        </a>
      </li>
    `;
    draw(
      rest,
      html`
        <ul class="cluster game-legend">${game.teams.map(legend)}</ul>
        <details class="fold" data-fold="course">
          <summary>${say("page plot-table")}</summary>
          <table class="plot-table" data-plot-table>
            <caption class="visually-hidden">${caption(which)}</caption>
            <thead>
              <tr>
                <th scope="col">${say("page plot-minutes")}</th>
                ${game.teams.map(({ seats }) => html`<th scope="col">${teams.name(seats)}</th>`)}
              </tr>
            </thead>
            <tbody>${changed.map(row)}</tbody>
          </table>
        </details>
        <ol data-events>${milestones.map(event)}</ol>
      `,
    );
  };
  return { element, show };
};

/**
 * Makes the view of one game: `{element, show(game, {tab, step, focus}), position, close}`. `focus` is `"title"`,
 * `"step"` or null for none. `reload(position)` fetches the game again.
 */
export const makeGame = (page, reload) => {
  const { words, access } = page;
  const { say } = words;
  const head = el("div", { class: "game-head" });
  const tabList = el("div", { class: "tab-list", role: "tablist", "data-word-label": "page game-tabs" });
  const panels = el("div", { class: "game-panels" });
  const tabs = makeTabs(tabList, panels, words);
  const result = el("section");
  const course = makeCourse(words);
  const figures = el("section");
  const tools = el("div", { class: "cluster" });
  const replay = makeReplay(page);
  tabs.add("how", "page game-how", el("div", { class: "stack gap-l game-how" }, result, course.element, figures, tools));
  tabs.add("replay", "page game-replay", replay.element);
  const body = el("div", { class: "game-body" }, tabList, panels);
  const element = el("article", { class: "stack game", data: { game: "" } }, head, body);
  let shownGame = null;

  const currentPosition = () => ({ id: String(shownGame.id), tab: tabs.current(), step: replay.step(), focus: null });

  const drawHead = () =>
    draw(
      head,
      html`
        <h3 class="heading" tabindex="-1" data-game-title>${say("page game-number", { id: shownGame.id })}</h3>
        <p class="cluster soft game-facts">${gameFacts(words, shownGame).map((fact) => html`<span>${fact}</span>`)}</p>
        <p class="games-trouble" data-trouble>${shownGame.trouble ?? ""}</p>
        ${shownGame.running && tool("refresh", say("page game-refresh"), () => reload(currentPosition()))}
      `,
    );

  const drawResult = (teams) => {
    const player = (seat) => html`
      <span class="beside gap-xs result-player">${badge(seat)}<span class="anywhere">${teams.player(seat)}</span></span>
    `;
    const row = (team) => html`
      <li class="box cluster result" data-place=${team.place}>
        <span class="cluster result-place">
          ${team.place === 1 && icon("laurel", "icon laurel")} ${say("page place", { place: team.place })}
        </span>
        <span class="cluster result-who">${team.seats.map(player)}</span>
        ${team.score !== undefined &&
        html`<span class="strong digits">${team.score} ${say(`unit ${team.unit ?? shownGame.teams[0].unit}`)}</span>`}
        ${decisiveNote(words, team)}
      </li>
    `;
    const order = [...shownGame.teams].sort((one, other) => one.place - other.place);
    draw(
      result,
      order.length > 0 &&
        html`
          <h4 class="heading game-heading">${say(shownGame.running ? "page game-so-far" : "page game-result")}</h4>
          <ol class="stack gap-xs game-result" data-result>${order.map(row)}</ol>
          <p class="soft game-ended">${shownGame.end ?? (shownGame.running ? "" : say("page game-unfinished"))}</p>
        `,
    );
  };

  const drawFile = () =>
    draw(
      tools,
      html`
        <a class="tool" href=${`/games/game-${shownGame.id}.json?language=${words.language()}`}
          download=${`game-${shownGame.id}.json`} data-do="export" onClick=${access.followLink}>
          ${say("page game-export")}
        </a>
      `,
    );

  /** Writes what is shown into the address, so that it can be shared. */
  const updateAddress = () => {
    if (shownGame !== null && page.views.current() === "games") {
      const at = tabs.current() === "replay" ? `/replay/${replay.step()}` : "";
      history.replaceState(history.state, "", `#games/${shownGame.id}${at}`);
    }
  };
  tabs.onShow((tab) => {
    if (shownGame !== null && tab === "replay") {
      replay.begin();
    } else {
      replay.stop();
    }
    updateAddress();
  });
  replay.onStep(updateAddress);

  return {
    element,
    show: (game, { tab, step, focus }) => {
      shownGame = game;
      const teams = makeTeamNames(words, game.names);
      const hasSteps = game.steps > 0;
      drawHead();
      drawResult(teams);
      drawFile();
      tabList.hidden = !hasSteps && game.teams.length === 0;
      course.element.hidden = figures.hidden = !hasSteps;
      tabs.setVisible("replay", hasSteps);
      if (hasSteps) {
        course.show(game, teams);
        draw(
          figures,
          html`
            <h4 class="heading game-heading">${say("page figures")}</h4>
            <div class="game-figures" role="group" tabindex="0" aria-label=${say("page figures")} data-figures>
              ${drawFigures(words, teams, game.figures)}
            </div>
          `,
        );
        replay.open(game, step);
      }
      tabs.show(hasSteps && tab === "replay" ? "replay" : "how");
      if (focus === "title") {
        head.querySelector("h3").focus({ preventScroll: true });
        scrollTo(0, 0);
        element.closest("[data-views]").scrollTo(0, 0);
      } else if (focus === "step" && hasSteps) {
        tabList.scrollIntoView({ block: "start" });
        replay.focus();
      }
    },
    /** Returns what is shown, as `show` takes it; null for nothing. */
    position: () => (shownGame === null ? null : currentPosition()),
    close: () => {
      shownGame = null;
      replay.stop();
    },
  };
};
