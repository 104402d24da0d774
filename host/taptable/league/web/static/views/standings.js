// The standings of a season in one game: the first three, everybody by points, and links to the data as files. It must
// not know the game.

import { draw, el, html, icon } from "/static/html.js";
import { drawChoice, makeLoading, parseChoice, query } from "../data.js";
import { drawMember, formatRating, formatTime } from "../lists.js";

const FIRST = 3;

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeStandings = (page) => {
  const { words, data, league, views } = page;
  const { say } = words;
  const { status, load, forget } = makeLoading(page);
  const choice = el("div", { class: "root" });
  const body = el("div", { class: "stack gap-l" });
  const element = el("div", { class: "stack" }, choice, status, body);
  let selection = null;
  let answer = null;

  const playedText = (line) => `${say("league games-of", { number: line.games })} · ${say("league won-of", { number: line.won })}`;
  const drawStep = (line) => html`
    <li class="podium-step" data-place=${line.place}>
      <span class="beside gap-xs podium-place">${line.place === 1 && icon("laurel", "icon laurel")}${line.place}.</span>
      <span class="podium-who">${drawMember(words, line.member)}</span>
      <strong class="podium-points digits">${line.points}</strong>
      <span class="soft small">${say("league points")}</span>
    </li>
  `;
  const drawRow = (line) => html`
    <tr data-line>
      <td class="digits">${line.place}.</td>
      <th scope="row">${drawMember(words, line.member)}<span class="soft small only-narrow">${playedText(line)}</span></th>
      <td class="only-wide">${line.games}</td>
      <td class="only-wide">${line.won}</td>
      <td class="strong">${line.points}</td>
      <td>${line.score}</td>
      <td class="only-wide">${line.best}</td>
      <td>${formatRating(words, line.rating)}</td>
    </tr>
  `;
  const drawFiles = (kind, seasonQuery) =>
    ["csv", "json"].map((suffix) => html`<a href=${`/export/${kind}.${suffix}${query(seasonQuery)}`} download>${suffix.toUpperCase()}</a>`);

  const show = () => {
    draw(choice, drawChoice(page, selection, (rest) => views.go("standings", rest)));
    if (answer === null) {
      return;
    }
    const { standings: lines, season } = answer;
    const unit = league.units[selection.game];
    const seasonQuery = { season: season?.id };
    draw(
      body,
      html`
        ${lines.length === 0 && html`<p class="remark" data-mood="info" data-none>${say("league standings-none")}</p>`}
        ${lines.length > 0 &&
        html`
          <ol class="podium" data-podium>${lines.slice(0, FIRST).map(drawStep)}</ol>
          <table class="lines" data-standings>
            <caption class="visually-hidden">${say("league view-standings")}</caption>
            <thead>
              <tr>
                <th scope="col"><span class="visually-hidden">${say("league place")}</span></th>
                <th scope="col">${say("league member")}</th>
                <th scope="col" class="only-wide">${say("league games")}</th>
                <th scope="col" class="only-wide">${say("league won")}</th>
                <th scope="col">${say("league points")}</th>
                <th scope="col">${unit === "points" ? say("league score") : say(`unit ${unit}`)}</th>
                <th scope="col" class="only-wide">${say("league best")}</th>
                <th scope="col">${say("league rating")}</th>
              </tr>
            </thead>
            <tbody>${lines.map(drawRow)}</tbody>
          </table>
        `}
        <details class="fold" data-how>
          <summary>${say("league how")}</summary>
          <p class="soft">${say("league how-points")}</p>
          <p class="soft">${say("league how-rating")}</p>
          ${season !== null &&
          html`<p class="soft">${say("league season-span", { begins: formatTime(words, season.begins, true), ends: formatTime(words, season.ends - 1, true) })}</p>`}
        </details>
        <p class="cluster small foot">
          <span class="soft">${say("league files")}</span>
          ${["standings", "results", "ratings"].map(
            (what) => html`<span class="beside gap-xs"><span>${say(`league file-${what}`)}:</span>${drawFiles(what, seasonQuery)}</span>`,
          )}
          <a class="apart-end" href="#desk">${say("league view-desk")}</a>
        </p>
      `,
    );
  };

  const open = async (rest) => {
    selection = parseChoice(league, rest);
    show();
    const season = Number(selection.season);
    const newAnswer = await load(() => data.get("standings", { season: Number.isNaN(season) ? null : season, game: selection.game }));
    if (newAnswer !== null) {
      answer = newAnswer;
      show();
    }
  };
  words.onChange(() => selection !== null && show());
  return { element, opened: open, closed: forget };
};
