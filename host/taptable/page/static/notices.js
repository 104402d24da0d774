// What stays said as long as it is so: parts that are missing, a question that waits, a newer version, and that the
// table itself is gone. And what came of something that was asked for, one sentence at a time, gone after a while. It
// must not know how any of it is put right: what can be begun again is asked for as the table says.

import { draw, el, html, keep, sign, tool } from "./html.js";

const ALERT_SIGN = { missing: "gone", consent: "ask", check: "ask", interrupted: "ask", stuck: "bell", power: "power" };
const INFO = new Set(["consent", "check"]);
/** The view in which something that was begun again goes on, by its verb. */
const WHERE = { check: "correct", "check-deck": "cards", "enrol-member": "people" };

/** Alerts notices in `place`; and for who may change something here, that a newer version is out. */
export const makeAlerts = (place, page) => {
  const { store, words, access } = page;
  const newer = ({ version, sentence, address }) => html`
    <p class="remark beside" key="update" data-key="update" data-mood="info">
      ${sign("bell")}
      <span>
        <strong>${words.say("page update", { version })}</strong> ${sentence}${" "}
        <a class="tool" href=${address} target="_blank" rel="noopener noreferrer">${words.say("page update-more")}</a>
      </span>
    </p>
  `;
  const beginAgain = async ({ do: verb, ...fields }) => {
    if ((await page.does({ do: verb, ...fields })).ok) {
      page.views.go(WHERE[verb]);
    }
  };
  const draw = keep(place, page, ["alerts", "update"], () => {
    const alerts = store.get("alerts") ?? [];
    const update = access.paired() ? (store.get("update") ?? null) : null;
    place.hidden = alerts.length === 0 && update === null;
    return html`
      ${alerts.map(
        ({ key, text, kind, again }) => html`
          <p class="remark beside" key=${key} data-key=${key} data-kind=${kind} data-mood=${INFO.has(kind) ? "info" : "warn"}>
            ${sign(ALERT_SIGN[kind] ?? "bell")}<span class="grow">${text}</span>
            ${again && tool("begin-again", words.say("page begin-again"), () => beginAgain(again))}
          </p>
        `,
      )}
      ${update && newer(update)}
    `;
  });
  access.onChange(() => store.soon(draw));
};

/** The notice in `place` why there is no table (`gone`, `unreached`, …); the function returned shows it or hides it (""). */
export const makeGone = (place, words) => {
  let shown = "";
  return (why) => {
    if (why !== shown) {
      shown = why;
      place.hidden = !why;
      const said = `page ${why}`; // by its key, since another language puts other text into the same element
      const told = html`
        ${sign("gone", "sign gone-sign")}
        <strong key=${said} data-word=${said}>${words.say(said)}</strong>
        <span key=${`${said}-more`} data-word=${`${said}-more`}>${words.say(`${said}-more`)}</span>
      `;
      draw(place, why ? told : null);
    }
  };
};

const SHOWN_MS = 8000;
const NOTE_SIGN = { good: "yes", bad: "no" };
const PRESSABLE = "button, a[href], select, input, textarea, summary";
const ENDS = ["end", "start"];

const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A function `say(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const place = el("div", { class: "notes", role: "status" });
  document.body.append(place);
  let timer = 0;
  let number = 0;

  const box = () => place.firstElementChild.getBoundingClientRect();
  /** How many buttons it would hide at this end of the window. */
  const hiddenAt = (end) => {
    place.dataset.at = end;
    return [...document.querySelectorAll(PRESSABLE)].filter((each) => meet(box(), each.getBoundingClientRect())).length;
  };
  const settle = () => {
    const hidden = ENDS.map(hiddenAt);
    place.dataset.at = ENDS[hidden.indexOf(Math.min(...hidden))];
  };

  const say = (sentence, mood = "good") => {
    const hide = () => say("", mood);
    clearTimeout(timer);
    number += 1;
    // another element each time: the same sentence a second time is read out too
    draw(place, html`
      <p class="remark beside note" key=${number} data-note data-mood=${mood} hidden=${sentence === ""} onClick=${hide}>
        ${sign(NOTE_SIGN[mood])}<span>${sentence}</span>
      </p>
    `);
    if (sentence !== "") {
      settle();
      timer = setTimeout(hide, SHOWN_MS);
    }
  };
  document.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    if (meet(box(), { left: x, right: x, top: y, bottom: y })) {
      say("");
    }
  });
  addEventListener("hashchange", () => requestAnimationFrame(settle)); // other buttons lie below it now
  say("");
  return say;
};
