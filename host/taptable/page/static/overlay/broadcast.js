// The overlay for a video of a table: teams at both sides with names, colours, points and quotas, between them whose
// turn it is or the running window, at the other edge the last action, and at the end the ranking in the lower third.
// Also parses the options in its address. It shows what every viewer may see, and must not know the game.

import { draw, html, icon } from "../html.js";
import { badge } from "../names.js";
import {
  drawRanking,
  drawTimeLeft,
  drawTurnIcon,
  gameTimeLeft,
  latestSentences,
  makeTicker,
  windowLeftUs,
} from "../table/prompt.js";
import { countChips, drawFigures, drawMark, lineChip } from "../table/rows.js";

/** The sizes in px that the overlay is designed for, by height: `[width, height]`. */
export const SIZES = { 720: [1280, 720], 1080: [1920, 1080] };
const MAX_QUOTED = 40;

const choicesOf = (about) => ({
  lang: about.languages,
  side: ["usual", "swap"],
  at: ["top", "bottom"],
  size: ["fit", ...Object.keys(SIZES)],
});

/** Shortens a part of the address to be quoted in a sentence. */
const shorten = (text) => (text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED - 1)}…`);

/**
 * Parses the overlay's options from a `query` (`"?lang=de"`): `{language, swapped, at, size, faults}`. `size` null
 * means that of the window. `faults` are `{key, fields}` of sentences on what is invalid; the default is used instead.
 */
export const readAddress = (query, about) => {
  const params = new URLSearchParams(query);
  const choices = choicesOf(about);
  const faults = [];
  const names = Object.keys(choices);
  [...new Set(params.keys())].filter((name) => !names.includes(name)).forEach((name) => {
    faults.push({ key: "page overlay-unknown", fields: { name: shorten(name), names: names.join(", ") } });
  });
  const choose = (name, defaultValue) => {
    const value = params.get(name);
    if (value === null || choices[name].includes(value)) {
      return value ?? defaultValue;
    }
    const fields = { given: shorten(`${name}=${value}`), name, choices: choices[name].join(", ") };
    faults.push({ key: "page overlay-wrong", fields });
    return defaultValue;
  };
  const size = choose("size", "fit");
  return {
    language: choose("lang", about.language),
    swapped: choose("side", "usual") === "swap",
    at: choose("at", "top"),
    size: size === "fit" ? null : size,
    faults,
  };
};

/** Types of sentences that the middle plate shows. */
const SHOWN_IN_MIDDLE = new Set(["turn-began", "turn-started", "claim-given"]);

/** Returns the announcements of the last action in one line: those with the latest `at_us`. */
const lastAction = (items) => {
  const isAction = ({ kind, type, spoken }) => kind === "announced" && spoken !== "" && !SHOWN_IN_MIDDLE.has(type);
  const actions = items.filter(isAction);
  const newest = actions[actions.length - 1];
  return actions.filter((item) => item.at_us === newest.at_us).map((item) => item.text).join(" ");
};

/** Returns the requested size if the window has room for it, else null. */
const fittingSize = (size) =>
  size !== null && innerWidth >= SIZES[size][0] && innerHeight >= SIZES[size][1] ? size : null;

const allFaults = ({ faults, size }) =>
  size === null || fittingSize(size) !== null
    ? faults
    : [
        ...faults,
        {
          key: "page overlay-small",
          fields: { size: `size=${size}`, needs: SIZES[size].join(" × "), has: [innerWidth, innerHeight].join(" × ") },
        },
      ];

const drawTeam = ({ words, names, cards }, team, index, turn) => {
  const isOnTurn = (seat) => turn.seat === seat && !turn.over;
  const player = (seat) => html`
    <li class="beside team-player" key=${seat} data-turn=${isOnTurn(seat)}>
      ${badge(seat)}<span class="team-name" title=${names.player(seat)}>${names.player(seat)}</span>
      ${isOnTurn(seat) && html`${icon("turn", "icon team-turn")}<span class="visually-hidden">${words.say("page on-turn")}</span>`}
    </li>
  `;
  return html`
    <li class="plate team" key=${index} data-plate data-of-team=${index} data-turn=${team.seats.some(isOnTurn)}>
      <span class="team-colours" aria-hidden="true">
        ${team.seats.map((seat) => html`<span data-seat-of=${seat}></span>`)}
      </span>
      <div class="team-words">
        <div class="team-head">
          <ul class="team-players">${team.seats.map(player)}</ul>
          <p class="team-score" data-score=${team.score}>
            ${drawFigures(words, team)}
          </p>
        </div>
        <p class="cluster team-marks">
          ${team.marks.map((mark) => drawMark(words, cards, mark))} ${countChips(words, team)} ${lineChip(words, team)}
        </p>
      </div>
    </li>
  `;
};

const drawSide = (page, side, teams, turn) => html`
  <ul class="side side-${side}" data-side=${side}>
    ${teams.map(([team, index]) => drawTeam(page, team, index, turn))}
  </ul>
`;

/** Returns the teams of the left and of the right side, as `[team, index]`. */
const sidesOf = (teams, swapped) => {
  const numbered = teams.map((team, index) => [team, index]);
  const half = Math.ceil(numbered.length / 2);
  const sides = [numbered.slice(0, half), numbered.slice(half)];
  return swapped ? sides.reverse() : sides;
};

/** Draws the overlay into `root`, with `page.options` from `readAddress`. */
export const makeBroadcast = (root, page) => {
  const { store, words, names, wanted: options } = page;

  const drawMiddle = (turn, window, { first, leftUs, time }) => html`
    <section class="plate middle" data-plate data-middle>
      ${drawTurnIcon(words, { turn, window, leftUs })}
      <div class="middle-words">
        <p class="strong middle-now" data-now>${store.get("now")?.title ?? ""}</p>
        ${first && html`<p class="beside middle-first" data-first>${icon("star")}<span>${first.text}</span></p>`}
      </div>
      ${drawTimeLeft(words, time, turn)}
    </section>
  `;
  const drawPlay = (teams, turn, window, timing) => {
    const [left, right] = sidesOf(teams, options.swapped);
    const action = lastAction(store.items("log"));
    return html`
      ${drawSide(page, "left", left, turn)} ${drawMiddle(turn, window, timing)} ${drawSide(page, "right", right, turn)}
      ${action !== "" && html`<p class="plate act" data-plate data-act>${action}</p>`}
    `;
  };
  const drawEnd = (teams, table) => html`
    <section class="plate lower-third" data-plate data-end>
      <p class="end-title">
        ${icon("laurel", "icon laurel")}<strong>${store.get("now")?.title ?? ""}</strong>
        <span class="soft">${words.say("page game", table)}</span>
      </p>
      ${drawRanking(words, names, teams)}
    </section>
  `;

  const drawAll = () => {
    const [table, teams, turn, window] = ["table", "teams", "turn", "window"].map(store.get);
    if (table === undefined || turn === undefined) {
      draw(root, null);
      return;
    }
    const nowUs = store.nowUs();
    const leftUs = windowLeftUs(window, nowUs);
    const time = gameTimeLeft(turn, nowUs);
    const { sentences, untilUs } = latestSentences(store.items("log"), nowUs);
    const first = sentences.find(({ kind }) => kind === "first");
    const faults = allFaults(options);
    document.title = words.say("page title", table);
    document.documentElement.dataset.size = fittingSize(options.size) ?? "fit";
    Object.assign(root.dataset, { at: options.at, over: turn.over, teams: teams.length, first: first !== undefined });
    draw(
      root,
      html`
        <h1 class="visually-hidden">${document.title}</h1>
        ${turn.over ? drawEnd(teams, table) : drawPlay(teams, turn, window, { first, leftUs, time })}
        ${faults.length > 0 &&
        html`
          <div class="faults">
            ${faults.map(({ key, fields }) => html`<p class="plate" data-plate data-fault>${words.say(key, fields)}</p>`)}
          </div>
        `}
      `,
    );
    tick({ leftUs, untilUs: Math.min(untilUs, time?.untilUs ?? Infinity) });
  };
  const tick = makeTicker(store, drawAll);

  const scheduleDraw = () => store.schedule(drawAll);
  ["table", "teams", "turn", "window", "now", "names", "pack"].forEach((part) => store.on(part, scheduleDraw));
  store.onItems("log", scheduleDraw);
  addEventListener("resize", scheduleDraw);
};
