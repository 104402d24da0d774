// What the table said last, where the log isn't in view: who was first in a window, for a while; what was refused, until
// something else counts; else the newest sentence; and what a card stands for that was played, for as long as it takes to
// read that. It must not know what a sentence means.

import { html } from "./html.js";
import { sign } from "./signs.js";

const US_PER_S = 1e6;
const FIRST_KEPT_S = 20;
const REFUSED_KEPT_S = 10;
const EXPLAINED_KEPT_S = 20;
const SIGN = { first: "star", refused: "no", fault: "bolt", notice: "bell", explained: "ask" };

/**
 * The sentences to be shown of a log at table time `nowUs`: `{kind, text}`, who was first before what was refused or said
 * last, and that before what is explained; and until when that holds, in µs (Infinity: until there is more).
 */
export const latest = (items, nowUs) => {
  const heard = items.filter((item) => item.kind !== "ignored" && item.spoken !== "");
  const newest = heard[heard.length - 1];
  const last = (wanted) => heard.filter(wanted).pop();
  const fresh = (item, keptS) => item !== undefined && nowUs - item.at_us < keptS * US_PER_S;
  const opened = last((item) => item.type === "window-opened");
  const claim = last((item) => item.type === "claim-given");
  const refused = last((item) => item.kind === "refused" || item.kind === "fault");
  const counted = last((item) => item.kind === "announced");
  const newestExplained = last((item) => item.explained);
  const first = fresh(claim, FIRST_KEPT_S) && claim.n > (opened?.n ?? -1) ? claim : null;
  const no = fresh(refused, REFUSED_KEPT_S) && refused.n > (counted?.n ?? -1) ? refused : null;
  const said = no ?? (newest === first ? null : (newest ?? null));
  const explained = fresh(newestExplained, EXPLAINED_KEPT_S) ? newestExplained : null;
  const ends = [
    first === null ? Infinity : first.at_us + FIRST_KEPT_S * US_PER_S,
    no === null ? Infinity : no.at_us + REFUSED_KEPT_S * US_PER_S,
    explained === null ? Infinity : explained.at_us + EXPLAINED_KEPT_S * US_PER_S,
  ];
  return {
    shown: [
      ...(first === null ? [] : [{ kind: "first", text: first.text }]),
      ...(said === null ? [] : [{ kind: said.kind, text: said.text }]),
      ...(explained === null ? [] : [{ kind: "explained", text: explained.explained }]),
    ],
    untilUs: Math.min(...ends),
  };
};

/** The newest sentences; screen readers hear them from elsewhere. */
export const drawLately = (shown) => html`
  <div class="lately" data-lately data-count=${shown.length}>
    ${shown.map(
      ({ kind, text }) => html`
        <p class="beside small lately-said" data-kind=${kind}>${sign(SIGN[kind] ?? "turn")}<span>${text}</span></p>
      `,
    )}
  </div>
`;
