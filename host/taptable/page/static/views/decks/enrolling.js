// Enrolment at the discard pad: the card to tap now in large, the result of the last one, and the progress of each
// kind. It must not know the list of decks.

import { html, icon, MAIN, tool } from "../../html.js";
import { missingCards, missingText } from "./deck.js";

const ICON = { accepted: "yes", refused: "no", fault: "no", "": "turn" };
const TITLE = { enrol: "page cards-enrolling", replace: "page cards-replacing", check: "page cards-checking" };
const STEP = { enrol: "enrol-cards", replace: "replace-cards", check: "check-cards", over: "cards-done" };
const MAX_AT_ONCE = 40;

/** Draws the part `enrolment`; `onClose` runs when the result is closed. */
export const drawEnrolling = (page, enrolment, onClose) => {
  const { cards, askAndReport } = page;
  const { say } = page.words;
  const { deck, how, kinds, over, by, strangers, undoable } = enrolment;
  const { seat: onTurn, over: isGameOver } = page.store.get("turn") ?? {};
  const isGameWaiting = !over && Boolean(onTurn) && !isGameOver;
  const isCheck = how === "check";
  const missingIds = missingCards(kinds);
  const isMissing = isCheck && over && missingIds.length > 0;
  const drawKind = ({ kind, name, need, missing }) => {
    const fields = { kind: name, have: need - missing.length, need };
    const canChoose = how === "enrol" && !over && missing.length > 0;
    return html`
      <li key=${kind}>
        <button class="press-box kind" type="button" data-kind=${kind} data-whole=${missing.length === 0 ? "" : null}
          data-now=${enrolment.wanted === kind ? "" : null}
          aria-label=${say(canChoose ? "page cards-kind-now" : "page cards-kind-so-far", fields)} aria-disabled=${!canChoose}
          onClick=${() => canChoose && askAndReport({ do: "enrol-kind", kind })}>
          ${cards.icon(kind)}
          <span class="grow anywhere">${name}</span>
          <span class="digits kind-count">${fields.have}/${need}</span>
        </button>
      </li>
    `;
  };
  const enrolMissing = () => askAndReport({ do: "enrol-only", deck, cards: missingIds.slice(0, MAX_AT_ONCE) });

  return html`
    <section class="stack gap-l enrolling" data-step=${STEP[over ? "over" : how]} data-enrolling
      data-over=${over ? "" : null}>
      <h3 class="heading" tabindex="-1">${say(TITLE[how], { deck })}</h3>
      <p class="soft">${!over && by !== "" && by !== "page" ? say("page cards-by", { by }) : ""}</p>
      <div class="enrolling-now">
        <div class="enrolling-face" aria-hidden="true">${cards.picture(enrolment.wanted)}</div>
        <div class="stack gap-xs">
          <p>${over ? "" : say(isCheck ? "page cards-now-all" : "page cards-now")}</p>
          <p class="strong anywhere enrolling-name" aria-live="polite" data-wanted>${enrolment.name}</p>
          <p class="strong digits enrolling-count" data-count>${say("page cards-count", enrolment)}</p>
          <progress class="deck-bar" max=${Math.max(1, enrolment.need)} value=${enrolment.have} aria-hidden="true"></progress>
        </div>
      </div>
      <div role="status">
        <p class="remark beside enrolling-result" data-mood=${enrolment.mood} data-result-line
          hidden=${enrolment.said === "" || isMissing}>
          ${icon(ICON[enrolment.mood] ?? "turn")}
          ${/* a new element each time, so that a repeated sentence is announced again */ ""}
          <span data-result key=${enrolment.at_us}>${enrolment.said}</span>
        </p>
      </div>
      <p data-missing>${isMissing ? say("page cards-missing", { cards: missingText(kinds) }) : ""}</p>
      <p>
        ${strangers === 0
          ? ""
          : say(strangers === 1 ? "page cards-strangers-one" : "page cards-strangers", { count: strangers })}
      </p>
      <div class="tiles enrolling-tools">
        ${!isCheck &&
        !over && [
          tool("enrol-undo", say("page cards-undo"), () => askAndReport({ do: "enrol-undo" }), { "aria-disabled": !undoable }),
          tool("enrol-skip", say("page cards-skip"), () => askAndReport({ do: "enrol-skip" })),
        ]}
        ${!over && tool("enrol-stop", say("page cards-stop"), () => askAndReport({ do: "enrol-stop" }))}
        ${isMissing && tool("enrol-only", say("page cards-replace-missing"), enrolMissing)}
        ${over && tool("close", say("page cards-close"), onClose, MAIN)}
      </div>
      <p class="soft">${isGameWaiting ? say("page cards-waits") : ""}</p>
      <ul class="tiles gap-xs enrolling-kinds" aria-label=${say("page cards-kinds")}>
        ${how !== "replace" && kinds.map(drawKind)}
      </ul>
    </section>
  `;
};
