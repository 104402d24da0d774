// Records: the highest score of each game, the fastest stopped hacker with its uncertainty, the longest game; each with
// its holders and a link to the game. It must not know the games' rules.

import { draw, el, html, icon } from "/static/html.js";
import { formatDuration } from "/static/names.js";
import { ALL, drawChoice, makeLoading, parseChoice } from "../data.js";
import { drawMembers, formatTime } from "../lists.js";

const US_PER_MS = 1000;
const SYMBOLS = { score: "star", stopped: "bolt", longest: "games" };
const KINDS = Object.keys(SYMBOLS);

/** Makes the view for `page`: `{element, opened, closed}`. */
export const makeRecords = (page) => {
  const { words, data, league, views } = page;
  const { say } = words;
  const { status, load, forget } = makeLoading(page);
  const choice = el("div", { class: "root" });
  const body = el("div", { class: "root" });
  const element = el("div", { class: "stack" }, choice, status, body);
  let selection = null;
  let answer = null;

  const valueOf = ({ kind, value, game, bound_us: boundUs }) => {
    const ms = (us) => words.number(us / US_PER_MS, us < 100 * US_PER_MS ? 1 : 0);
    switch (kind) {
      case "score":
        return html`<strong>${value}</strong> <span>${say(`unit ${game.unit}`)}</span>`;
      case "stopped":
        return html`<strong>${ms(value)}</strong> <span>ms</span> <span class="soft small">± ${words.number(boundUs / US_PER_MS, 1)}</span>`;
      default:
        return html`<strong>${formatDuration(value)}</strong>`;
    }
  };
  const drawRecord = (each) => html`
    <li class="box record" data-record=${each.kind}>
      <p class="beside record-what">${icon(SYMBOLS[each.kind] ?? "star")}<span>${say(`league record-${each.kind}`)}</span></p>
      <p class="soft small">${say(`game ${each.game.game}`)}</p>
      <p class="record-value digits">${valueOf(each)}</p>
      <div class="record-who">${drawMembers(words, each.holders)}</div>
      <a class="soft small" href=${`#games/${each.game.id}`}>
        ${say("league record-at", { table: each.game.table_name, when: formatTime(words, each.game.begun, true) })}
      </a>
    </li>
  `;
  const sortKey = (one) => KINDS.indexOf(one.kind) * league.games.length + league.games.indexOf(one.game.game);
  const show = () => {
    draw(choice, drawChoice(page, selection, (rest) => views.go("records", rest), { all: true }));
    if (answer !== null) {
      draw(
        body,
        answer.records.length === 0
          ? html`<p class="remark" data-mood="info" data-none>${say("league records-none")}</p>`
          : html`<ul class="tiles records" data-records>${[...answer.records].sort((one, other) => sortKey(one) - sortKey(other)).map(drawRecord)}</ul>`,
      );
    }
  };
  const open = async (rest) => {
    selection = rest === "" ? { season: ALL, game: ALL } : parseChoice(league, rest, { all: true });
    show();
    const unlessAll = (value) => (value === ALL ? null : value);
    const query = { season: unlessAll(selection.season), game: unlessAll(selection.game) };
    const newAnswer = await load(() => data.get("records", query));
    if (newAnswer !== null) {
      answer = newAnswer;
      show();
    }
  };
  words.onChange(() => selection !== null && show());
  return { element, opened: open, closed: forget };
};
