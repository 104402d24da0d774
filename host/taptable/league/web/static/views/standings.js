// A season's table of a game: the first three, everybody by points, and the same as files. It must not know the game.

import { draw, el, html, sign } from "/static/html.js";
import { chosenIn, drawChoice, makeLoading, query } from "../data.js";
import { person, rating, when } from "../lists.js";

const FIRST = 3;

/** The view for `page`: `{element, opened, closed}`. */
export const makeStandings = (page) => {
  const { words, data, league, views } = page;
  const { say } = words;
  const { status, load, forget } = makeLoading(page);
  const choice = el("div", { class: "root" });
  const body = el("div", { class: "stack gap-l" });
  const element = el("div", { class: "stack" }, choice, status, body);
  let shown = null;
  let told = null;

  const facts = (line) => `${say("league games-of", { number: line.games })} · ${say("league won-of", { number: line.won })}`;
  const step = (line) => html`
    <li class="podium-step" data-place=${line.place}>
      <span class="beside gap-xs podium-place">${line.place === 1 && sign("laurel", "sign laurel")}${line.place}.</span>
      <span class="podium-who">${person(words, line.member)}</span>
      <strong class="podium-points digits">${line.points}</strong>
      <span class="soft small">${say("league points")}</span>
    </li>
  `;
  const row = (line) => html`
    <tr data-line>
      <td class="digits">${line.place}.</td>
      <th scope="row">${person(words, line.member)}<span class="soft small only-narrow">${facts(line)}</span></th>
      <td class="only-wide">${line.games}</td>
      <td class="only-wide">${line.won}</td>
      <td class="strong">${line.points}</td>
      <td>${line.score}</td>
      <td class="only-wide">${line.best}</td>
      <td>${rating(words, line.rating)}</td>
    </tr>
  `;
  const files = (what, wanted) =>
    ["csv", "json"].map((suffix) => html`<a href=${`/export/${what}.${suffix}${query(wanted)}`} download>${suffix.toUpperCase()}</a>`);

  const show = () => {
    draw(choice, drawChoice(page, shown, (rest) => views.go("standings", rest)));
    if (told === null) {
      return;
    }
    const { standings: lines, season } = told;
    const unit = league.units[shown.game];
    const wanted = { season: season?.id };
    draw(
      body,
      html`
        ${lines.length === 0 && html`<p class="remark" data-mood="info" data-none>${say("league standings-none")}</p>`}
        ${lines.length > 0 &&
        html`
          <ol class="podium" data-podium>${lines.slice(0, FIRST).map(step)}</ol>
          <table class="lines" data-standings>
            <caption class="unseen">${say("league view-standings")}</caption>
            <thead>
              <tr>
                <th scope="col"><span class="unseen">${say("league place")}</span></th>
                <th scope="col">${say("league member")}</th>
                <th scope="col" class="only-wide">${say("league games")}</th>
                <th scope="col" class="only-wide">${say("league won")}</th>
                <th scope="col">${say("league points")}</th>
                <th scope="col">${unit === "points" ? say("league score") : say(`unit ${unit}`)}</th>
                <th scope="col" class="only-wide">${say("league best")}</th>
                <th scope="col">${say("league rating")}</th>
              </tr>
            </thead>
            <tbody>${lines.map(row)}</tbody>
          </table>
        `}
        <details class="fold" data-how>
          <summary>${say("league how")}</summary>
          <p class="soft">${say("league how-points")}</p>
          <p class="soft">${say("league how-rating")}</p>
          ${season !== null &&
          html`<p class="soft">${say("league season-span", { begins: when(words, season.begins, true), ends: when(words, season.ends - 1, true) })}</p>`}
        </details>
        <p class="cluster small foot">
          <span class="soft">${say("league files")}</span>
          ${["standings", "results", "ratings"].map(
            (what) => html`<span class="beside gap-xs"><span>${say(`league file-${what}`)}:</span>${files(what, wanted)}</span>`,
          )}
          <a class="apart-end" href="#desk">${say("league view-desk")}</a>
        </p>
      `,
    );
  };

  const open = async (rest) => {
    shown = chosenIn(league, rest);
    show();
    const season = Number(shown.season);
    const answer = await load(() => data.get("standings", { season: Number.isNaN(season) ? null : season, game: shown.game }));
    if (answer !== null) {
      told = answer;
      show();
    }
  };
  words.onChange(() => shown !== null && show());
  return { element, opened: open, closed: forget };
};
