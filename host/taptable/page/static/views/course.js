// How scores and places went in a game: a plot with its legend, the same as a table, and what else happened, each a way
// to its step. It must not know the game's rules.

import { el } from "../elements.js";
import { draw, html } from "../html.js";
import { makePlot, sample } from "../plot.js";
import { clock } from "./told.js";

const SCORE = 1;
const PLACE = 2;
const NAMES = { [SCORE]: "score", [PLACE]: "place" };

/** The values of a team in the plot, one for each time at which they changed; `which` is `SCORE` or `PLACE`. */
const pointsOf = (standings, team, which) => {
  const points = standings.map((standing) => [standing[0], standing[which][team]]);
  return points.filter(([, value], at) => at === 0 || value !== points[at - 1][1]);
};

/** The course of a game in `words`: `{element, show(game, teams)}`. */
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
      <li class="beside">${sample(at)}<strong>${teams.short(seats)}</strong><span class="anywhere">${teams.name(seats)}</span></li>
    `;
    const row = (standing) => html`
      <tr><th scope="row">${clock(standing[0])}</th>${game.teams.map((_, at) => html`<td>${standing[which][at]}</td>`)}</tr>
    `;
    const event = ({ at_us: atUs, step, text }) => html`
      <li>
        <a class="game-event" href=${`#games/${game.id}/replay/${step}`}>
          <span class="soft digits">${clock(atUs)}</span><span>${text}</span>
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
            <caption class="unseen">${caption(which)}</caption>
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
