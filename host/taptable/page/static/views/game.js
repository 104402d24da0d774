// One game that was played: its result, how it went, what each player did, its file, and the way to play it step by
// step. It must not know the game's rules, nor how it is asked for.

import { el } from "../elements.js";
import { draw, html, tool } from "../html.js";
import { badge } from "../names.js";
import { decisiveNote } from "../rows.js";
import { sign } from "../signs.js";
import { makeTabs } from "../tabs.js";
import { makeCourse } from "./course.js";
import { drawFigures } from "./figures.js";
import { makeReplay } from "./replay.js";
import { factsOf, makeTeams } from "./told.js";

/**
 * One game of `page`: `{element, show(game, {tab, step, focus}), here, close}`; the focus goes to the `"title"`, the
 * `"step"`, or nowhere (null). `again(here)` asks for it anew.
 */
export const makeGame = (page, again) => {
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
  let shown = null;

  const here = () => ({ id: String(shown.id), tab: tabs.shown(), step: replay.step(), focus: null });

  const drawHead = () =>
    draw(
      head,
      html`
        <h3 class="heading" tabindex="-1" data-game-title>${say("page game-number", { id: shown.id })}</h3>
        <p class="cluster soft game-facts">${factsOf(words, shown).map((fact) => html`<span>${fact}</span>`)}</p>
        <p class="games-trouble" data-trouble>${shown.trouble ?? ""}</p>
        ${shown.running && tool("refresh", say("page game-refresh"), () => again(here()))}
      `,
    );

  const drawResult = (teams) => {
    const player = (seat) => html`
      <span class="beside gap-xs result-player">
        ${badge(seat)}
        <span class="anywhere">${teams.player(seat)}</span>
      </span>
    `;
    const row = (team) => html`
      <li class="box cluster result" data-place=${team.place}>
        <span class="cluster result-place">
          ${team.place === 1 && sign("laurel", "sign laurel")} ${say("page place", { place: team.place })}
        </span>
        <span class="cluster result-who">${team.seats.map(player)}</span>
        ${team.score !== undefined &&
        html`<span class="strong digits">${team.score} ${say(`unit ${team.unit ?? shown.teams[0].unit}`)}</span>`}
        ${decisiveNote(words, team)}
      </li>
    `;
    const order = [...shown.teams].sort((one, other) => one.place - other.place);
    draw(
      result,
      order.length > 0 &&
        html`
          <h4 class="heading game-heading">${say(shown.running ? "page game-so-far" : "page game-result")}</h4>
          <ol class="stack gap-xs game-result" data-result>${order.map(row)}</ol>
          <p class="soft game-ended">${shown.end ?? (shown.running ? "" : say("page game-unfinished"))}</p>
        `,
    );
  };

  const drawFile = () =>
    draw(
      tools,
      html`
        <a class="tool" href=${`/games/game-${shown.id}.json?language=${words.language()}`}
          download=${`game-${shown.id}.json`} data-do="export" onClick=${access.follow}>
          ${say("page game-export")}
        </a>
      `,
    );

  /** What the address says of what is shown, so that it can be sent to somebody. */
  const name = () => {
    if (shown !== null && page.views.shown() === "games") {
      const at = tabs.shown() === "replay" ? `/replay/${replay.step()}` : "";
      history.replaceState(history.state, "", `#games/${shown.id}${at}`);
    }
  };
  tabs.onShow((tab) => {
    if (shown !== null && tab === "replay") {
      replay.begin();
    } else {
      replay.stop();
    }
    name();
  });
  replay.onStep(name);

  return {
    element,
    show: (game, { tab, step, focus }) => {
      shown = game;
      const teams = makeTeams(words, game.names);
      const told = game.steps > 0;
      drawHead();
      drawResult(teams);
      drawFile();
      tabList.hidden = !told && game.teams.length === 0;
      course.element.hidden = figures.hidden = !told;
      tabs.offer("replay", told);
      if (told) {
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
      tabs.show(told && tab === "replay" ? "replay" : "how");
      if (focus === "title") {
        head.querySelector("h3").focus({ preventScroll: true });
        scrollTo(0, 0);
        element.closest("[data-views]").scrollTo(0, 0);
      } else if (focus === "step" && told) {
        tabList.scrollIntoView({ block: "start" });
        replay.focus();
      }
    },
    /** What is shown now, as `show` takes it; null if nothing is. */
    here: () => (shown === null ? null : here()),
    close: () => {
      shown = null;
      replay.stop();
    },
  };
};
