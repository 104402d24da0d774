// A take-back that is asked for: by whom, who may agree, and how long there is for it. It must not know what is taken
// back.

import { el, setText } from "../elements.js";
import { seatsName } from "../rows.js";

const US_PER_S = 1e6;

/** The question as an element, hidden while there is none; `does` asks the table. */
export const makeQuestion = ({ store, words, names }, does) => {
  const who = el("p", { class: "running-title", id: "question-who" });
  const agree = el("p", {});
  const left = el("span", { class: "question-left" });
  const track = el("span", { class: "question-track", "aria-hidden": "true" }, left);
  const seconds = el("p", { class: "question-seconds", data: { left: "" } });
  const withdraw = el("button", {
    class: "tool",
    type: "button",
    data: { do: "withdraw" },
    "data-word": "page correct-withdraw",
  });
  withdraw.addEventListener("click", () => does({ do: "withdraw" }));
  const element = el(
    "section",
    { class: "running", "aria-labelledby": who.id, data: { askedBack: "" }, hidden: true },
    el("div", { role: "status" }, who, agree),
    track,
    seconds,
    withdraw,
  );
  let running = null;

  const step = () => {
    if (running === null) {
      return;
    }
    const leftUs = Math.max(0, running.ends_us - store.nowUs());
    left.style.setProperty("--left", String(leftUs / running.whole_us));
    setText(seconds, words.say("page correct-left", { seconds: Math.ceil(leftUs / US_PER_S) }));
    requestAnimationFrame(step);
  };

  store.on("question", (question) => {
    const was = running;
    running = question ?? null;
    element.hidden = running === null;
    if (running === null) {
      return;
    }
    const { seat, seats } = running;
    const asked = seat === null ? ["page correct-asked"] : ["page correct-asked-by", { who: names.seat(seat) }];
    setText(who, words.say(...asked));
    setText(agree, words.say("page correct-agree", { seats: seatsName(words, seats) }));
    if (was === null) {
      step();
    }
  });
  return element;
};
