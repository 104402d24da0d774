// A step plot of several teams' values over time: axes with round numbers, lines that differ by dashes and marks as
// well as colour, each labelled at its end. It must not know what is plotted.

import { draw, el, html } from "../../html.js";

const US_PER_MIN = 60e6;
/** Largest width of a character and height of a line, in rem. */
const CHAR_REM = 0.47;
const LINE_REM = 0.94;
const MARK_EVERY_PX = 22;
/** Coinciding lines are drawn this far apart. */
const LINE_OFFSET_PX = 2.5;
const MARK_PX = 4;
const MINUTES = [0.25, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 240];

/** Returns round whole numbers from 0 to at least `most`, about `count` of them. */
export const niceTicks = (most, count) => {
  const rough = Math.max(1, most / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const ticks = [0];
  while (ticks[ticks.length - 1] < Math.max(most, 1)) {
    ticks.push(ticks[ticks.length - 1] + step);
  }
  return ticks;
};

/** Like `niceTicks`, but starting at or below `least` (≤ 0). */
const ticksAround = (least, most, count) => {
  const up = niceTicks(Math.max(most, -least), count);
  if (least >= 0) {
    return up;
  }
  const step = up[1];
  const down = Array.from({ length: Math.ceil(-least / step) }, (_, at) => -step * (at + 1)).reverse();
  return [...down, ...up.filter((tick) => tick < most + step)];
};

/** Returns round numbers of minutes from 0 to `most`, at most about `count` of them. */
export const minuteTicks = (most, count) => {
  const step =
    MINUTES.find((each) => most / each <= count) ?? MINUTES[MINUTES.length - 1] * Math.ceil(most / 240 / count);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
};

/** Moves label `positions` so that they are at least `gap` apart, between `least` and `most`. */
export const spreadLabels = (positions, least, most, gap) => {
  const order = positions.map((y, at) => ({ y, at })).sort((one, other) => one.y - other.y || one.at - other.at);
  order.forEach((label, at) => {
    label.y = Math.max(label.y, least, at === 0 ? least : order[at - 1].y + gap);
  });
  for (let at = order.length - 1; at >= 0; at -= 1) {
    order[at].y = Math.min(order[at].y, at === order.length - 1 ? most : order[at + 1].y - gap);
  }
  const placed = [];
  order.forEach(({ y, at }) => {
    placed[at] = y;
  });
  return placed;
};

const MARKS = [
  (x, y) => html`<circle cx=${x} cy=${y} r=${MARK_PX - 0.5} />`,
  (x, y) => html`<rect x=${x - 3.5} y=${y - 3.5} width="7" height="7" />`,
  (x, y) => html`<path d=${`M${x} ${y - 5}l5 8h-10z`} />`,
  (x, y) => html`<path d=${`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />`,
  (x, y) => html`<path d=${`M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8`} data-open />`,
  (x, y) => html`<path d=${`M${x} ${y - 5}v10M${x - 5} ${y}h10`} data-open />`,
];
/** Number of distinct line styles. */
export const STYLES = MARKS.length;

const drawMarks = (at, marks) => html`
  <g class="plot-mark" data-style=${at % STYLES}>${marks.map(([x, y]) => MARKS[at % STYLES](x, y))}</g>
`;

/** Draws a short sample of a line, for a legend. */
export const drawSample = (style) => html`
  <svg class="plot-sample" viewBox="0 0 34 12" aria-hidden="true" focusable="false">
    <path class="plot-line" d="M1 6h32" data-style=${style} />${drawMarks(style, [[17, 6]])}
  </svg>
`;

/** Returns a line as steps (an SVG path), and the positions of its marks, which keep a minimum distance. */
const stepPath = (points, endX, toX, toY) => {
  const marks = [];
  let path = "";
  points.forEach(([at, value], index) => {
    const x = toX(at);
    const y = toY(value);
    path += index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    if (marks.length === 0 || x - marks[marks.length - 1][0] >= MARK_EVERY_PX) {
      marks.push([x, y]);
    }
  });
  return { path: `${path}H${endX}`, marks };
};

/** Draws the plot, `width` px wide, for a font size of `rem` px; the other fields are those of `makePlot`'s `show`. */
const drawPlot = (width, rem, { label, xTitle, series, endUs, events, places, number, whole = false }) => {
  const line = LINE_REM * rem;
  const height = (width < 480 ? 205 : 285) + 2.9 * line;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const ticks =
    places === null ? ticksAround(Math.min(...values, 0), Math.max(...values, 0), 5) : Array.from({ length: places }, (_, at) => at + 1);
  const longest = (texts) => Math.max(...texts.map((text) => text.length), 1) * CHAR_REM * rem;
  const left = longest(ticks.map(number)) + 10;
  const right = Math.min(longest(series.map((each) => each.label)) + 20, width * 0.45);
  const [top, bottom] = [16, height - 2.9 * line];
  const [low, high] = places === null ? [ticks[0], ticks.at(-1)] : [places + 0.4, 0.6];
  const end = width - right;
  const toX = (us) => left + ((end - left) * us) / Math.max(endUs, 1);
  const toY = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  const minutes = minuteTicks(endUs / US_PER_MIN, Math.max(1, Math.floor((end - left) / (3.5 * rem)))).filter(
    (minute) => !whole || Number.isInteger(minute),
  );
  const ends = series.map(({ points }, at) => toY(points.at(-1)[1]) + lineOffset(at, series.length));
  const labelYs = spreadLabels(ends, top, bottom, line);

  const valueTick = (tick) => html`
    <path d=${`M${left} ${toY(tick)}H${end}`} />
    <text x=${left - 6} y=${toY(tick) + 0.3 * line} text-anchor="end">${number(tick)}</text>
  `;
  const minuteTick = (minute) => html`
    <path d=${`M${toX(minute * US_PER_MIN)} ${bottom}v5`} />
    <text x=${toX(minute * US_PER_MIN)} y=${bottom + 1.4 * line} text-anchor="middle">${number(minute)}</text>
  `;
  const flag = (us) => html`
    <path d=${`M${toX(us)} ${top}V${bottom}`} /><path class="plot-flag" d=${`M${toX(us) - 4} 4h8l-4 8z`} />
  `;
  const drawLine = (each, at) => {
    const { path, marks } = stepPath(each.points, end, toX, (value) => toY(value) + lineOffset(at, series.length));
    const style = at % STYLES;
    return html`
      <path class="plot-line" d=${path} data-style=${style} data-line=${at} />
      ${drawMarks(at, marks)}
      <path class="plot-lead" d=${`M${end} ${ends[at]}L${end + 12} ${labelYs[at]}`} />
      <text class="plot-name" x=${end + 15} y=${labelYs[at] + 0.3 * line} data-style=${style}>${each.label}</text>
    `;
  };
  return html`
    <svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img" aria-label=${label}>
      <g class="plot-grid" aria-hidden="true">
        ${ticks.map(valueTick)} ${minutes.map(minuteTick)}
        <text x=${(left + end) / 2} y=${height - 0.3 * line} text-anchor="middle">${xTitle}</text>
      </g>
      <g class="plot-events" aria-hidden="true">${events.map(flag)}</g>
      ${series.map(drawLine)}
    </svg>
  `;
};

/**
 * Makes a plot that is as wide as its container. `show` takes `{label, xTitle, series, endUs, events, places, number,
 * whole}`. `series`: `{label, points}` with points `[µs, value]`, each value holding until the next point. `events`:
 * times in µs. `places`: number of places if values are places (first on top), else null. `number(value)` formats a
 * value. `whole`: mark only whole numbers on the x axis. `label`: description for screen readers.
 */
export const makePlot = () => {
  const place = el("div", { class: "root" });
  // Observes a text, to notice a change of the font size.
  const fontProbe = el("span", { class: "plot-letters" });
  const element = el("div", { class: "plot" }, place, fontProbe);
  let plotData = null;
  const redraw = () => {
    const width = Math.floor(element.clientWidth);
    if (plotData !== null && width > 0) {
      draw(place, drawPlot(width, Number.parseFloat(getComputedStyle(document.documentElement).fontSize), plotData));
    }
  };
  const observer = new ResizeObserver(redraw);
  observer.observe(element);
  observer.observe(fontProbe);
  return {
    element,
    show: (newData) => {
      plotData = newData;
      redraw();
    },
  };
};

const lineOffset = (at, count) => (at - (count - 1) / 2) * LINE_OFFSET_PX;
