// A take-back that is asked for: by whom, who may agree, and how long there is for it. It must not know what is taken
// back.

import { el } from "../elements.js";
import { html, keep, tool } from "../html.js";
import { seatsName } from "../rows.js";

const US_PER_S = 1e6;

/** The question as an element, with nothing in it while there is none; `ask` asks the table. */
export const makeQuestion = (page, ask) => {
  const { store, words, names } = page;
  const element = el("div", { class: "root" });
  let frame = 0;

  const draw = keep(element, page, ["question"], () => {
    cancelAnimationFrame(frame);
    const { seat, seats, ends_us: endsUs, whole_us: wholeUs } = store.get("question") ?? {};
    if (seats === undefined) {
      return null;
    }
    frame = requestAnimationFrame(draw);
    const leftUs = Math.max(0, endsUs - store.nowUs());
    const asked = seat === null ? ["page correct-asked"] : ["page correct-asked-by", { who: names.seat(seat) }];
    return html`
      <section class="stack running" aria-labelledby="question-who" data-step="take-back" data-asked-back>
        <div role="status">
          <p class="heading" id="question-who">${words.say(...asked)}</p>
          <p>${words.say("page correct-agree", { seats: seatsName(words, seats) })}</p>
        </div>
        <span class="question-track" aria-hidden="true">
          <span class="question-left" style=${{ "--left": leftUs / wholeUs }}></span>
        </span>
        <p class="digits" data-left>${words.say("page correct-left", { seconds: Math.ceil(leftUs / US_PER_S) })}</p>
        ${tool("withdraw", words.say("page correct-withdraw"), () => ask({ do: "withdraw" }))}
      </section>
    `;
  });
  return element;
};
