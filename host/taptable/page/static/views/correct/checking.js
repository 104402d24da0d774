// Questions that must be answered first: a requested take-back, and the check of the table, one instruction at a time.
// It must not know when a check is complete.

import { drawOnChange, el, html, icon, MAIN, tool } from "../../html.js";
import { seatsName } from "../../table/rows.js";

const US_PER_S = 1e6;

/** Makes the take-back question as an element, empty without a question. */
export const makeQuestion = (page) => {
  const { store, words, names } = page;
  const element = el("div", { class: "root" });
  let frame = 0;

  const draw = drawOnChange(element, page, ["question"], () => {
    cancelAnimationFrame(frame);
    const { seat, seats, ends_us: endsUs, whole_us: wholeUs } = store.get("question") ?? {};
    if (seats === undefined) {
      return null;
    }
    frame = requestAnimationFrame(draw);
    const leftUs = Math.max(0, endsUs - store.nowUs());
    const question = seat === null ? ["page correct-asked"] : ["page correct-asked-by", { who: names.seat(seat) }];
    return html`
      <section class="stack running" aria-labelledby="question-who" data-step="take-back" data-take-back>
        <div role="status">
          <p class="heading" id="question-who">${words.say(...question)}</p>
          <p>${words.say("page correct-agree", { seats: seatsName(words, seats) })}</p>
        </div>
        <span class="question-track" aria-hidden="true">
          <span class="question-left" style=${{ "--left": leftUs / wholeUs }}></span>
        </span>
        <p class="digits" data-left>${words.say("page correct-left", { seconds: Math.ceil(leftUs / US_PER_S) })}</p>
        ${tool("withdraw", words.say("page correct-withdraw"), () => page.act({ do: "withdraw" }))}
      </section>
    `;
  });
  return element;
};

const MAX_IN_HAND = 20;
/** The count of a seat's cards in a game that doesn't tell them apart. */
const HAND = "hand";

/** Makes the check dialogue as an element, empty while nothing is checked. */
export const makeChecking = (page) => {
  const { store, words, cards, names } = page;
  const { say } = words;
  const element = el("div", { class: "root" });
  let count = 0;
  let step = "";

  const cardNames = (each) => each.map(cards.nameWithNumber).join(", ");

  /** Draws the cards to be ticked off. */
  const drawRows = ({ cards: all, extra, seats }) => {
    const untappedCount = all.filter(({ ticked }) => !ticked).length;
    const tick = ({ card, ticked }) => html`
      <li class="ticked beside" key=${card} data-tick=${card} data-ticked=${ticked}>
        ${cards.face(card, { size: "mini" })}
        <span class="grow">${cards.nameWithNumber(card)}</span>
        <span class="tick-mark">${icon(ticked ? "yes" : "nothing")}</span>
        <span class="visually-hidden">${say(ticked ? "page correct-tapped" : "page correct-untapped")}</span>
      </li>
    `;
    return [
      html`
        <div class="stack gap-s">
          <p role="status" data-step="check-rows">${say("page correct-ticked", { done: all.length - untappedCount, all: all.length })}</p>
          <ul class="tiles gap-xs ticks">${all.map(tick)}</ul>
          ${extra.length > 0 && html`<p data-extra>${say("page correct-extra", { cards: cardNames(extra) })}</p>`}
        </div>
      `,
      tool(
        "rows-checked",
        say(untappedCount === 0 ? "page correct-rows" : "page correct-rows-less", { untapped: untappedCount }),
        () => page.act({ do: "rows-checked", seat: seats[0] }),
        MAIN,
      ),
    ];
  };

  /** Draws the stepper for the number of cards in a hand, from 0. */
  const drawHand = ({ seats, count: knownCount }) => {
    const stepBy = (by, hook, key, text, end) => html`
      <button class="tool" type="button" data-step=${hook} aria-label=${say(key)} aria-disabled=${count === end}
        onClick=${() => set(Math.min(MAX_IN_HAND, Math.max(0, count + by)))}>
        ${text}
      </button>
    `;
    const key = count === knownCount ? "page correct-right" : "page correct-other";
    return [
      html`
        <div class="beside gap-l stepper" role="group" data-step="check-hand" aria-label=${say("page correct-hand")}>
          ${stepBy(-1, "less", "page correct-minus", "−", 0)}
          <output class="strong digits stepper-value" data-count>${count}</output>
          ${stepBy(1, "more", "page correct-plus", "+", MAX_IN_HAND)}
        </div>
      `,
      tool(
        "hand-counted",
        say(count === 1 ? `${key}-1` : key, { count }),
        () => page.act({ do: "hand-counted", seat: seats[0], count }),
        MAIN,
      ),
    ];
  };

  /** Returns the findings so far, one sentence each. */
  const findings = ({ laid, gone, counted }) => [
    ...laid.map(([card, pad]) => say("page correct-laid", { card: cards.nameWithNumber(card), seat: names.seat(pad) })),
    ...(gone.length > 0 ? [say("page correct-gone", { cards: cardNames(gone) })] : []),
    ...counted.map(([seat, number, name]) =>
      name === HAND
        ? say("page correct-counted", { who: names.seat(seat), count: number })
        : say("page correct-counted-of", { who: names.seat(seat), what: say(`count-of ${name}`), count: number }),
    ),
  ];

  const draw = drawOnChange(element, page, ["checking"], () => {
    const now = store.get("checking") ?? null;
    const before = step;
    step = now === null ? "" : JSON.stringify([now.seats, now.hands, now.counting]);
    if (now === null) {
      return null;
    }
    if (step !== before) {
      count = now.count;
      if (before !== "" && element.contains(document.activeElement)) {
        queueMicrotask(() => element.querySelector("h3").focus());
      }
    }
    const [body, doneButton] = now.hands ? drawHand(now) : drawRows(now);
    return html`
      <section class="stack running" aria-labelledby="check-whose" data-check>
        <p class="soft">${say("page correct-to-come", { teams: now.teams_left, hands: now.hands_left })}</p>
        <h3 class="heading" id="check-whose" tabindex="-1">${seatsName(words, now.seats)}</h3>
        <p class="check-text" role="status" data-instruction>${now.text}</p>
        ${body}
        <div class="stack gap-s check-actions">
          ${doneButton} ${tool("break-off", say("page correct-break-off"), () => page.act({ do: "break-off" }))}
        </div>
        <ul class="stack gap-s soft check-found" data-found>
          ${findings(now).map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </section>
    `;
  });
  const set = (newCount) => {
    count = newCount;
    draw();
  };
  return element;
};
