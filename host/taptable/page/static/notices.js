// What stays said as long as it is so: parts that are missing, a question that waits, a newer version, and that the
// table itself is gone. And what came of something that was asked for, one sentence at a time, gone after a while. It
// must not know how any of it is put right: what can be begun again is asked for as the table says.

import { draw, drawOnChange, el, html, icon, tool } from "./html.js";

const ALERT_ICON = { missing: "gone", consent: "ask", check: "ask", interrupted: "ask", stuck: "bell", power: "power" };
const INFO = new Set(["consent", "check"]);
/** The view in which something that was begun again goes on, by its verb. */
const VIEW_OF_VERB = { check: "correct", "check-deck": "cards", "enrol-member": "people" };

/** Alerts notices in `place`; and for who may change something here, that a newer version is out. */
export const makeAlerts = (place, page) => {
  const { store, words, access } = page;
  const drawUpdate = ({ version, sentence, address }) => html`
    <p class="remark beside" key="update" data-key="update" data-mood="info">
      ${icon("bell")}
      <span>
        <strong>${words.say("page update", { version })}</strong> ${sentence}${" "}
        <a class="tool" href=${address} target="_blank" rel="noopener noreferrer">${words.say("page update-more")}</a>
      </span>
    </p>
  `;
  const restart = async ({ do: verb, ...fields }) => {
    if ((await page.askAndReport({ do: verb, ...fields })).ok) {
      page.views.go(VIEW_OF_VERB[verb]);
    }
  };
  const draw = drawOnChange(place, page, ["alerts", "update"], () => {
    const alerts = store.get("alerts") ?? [];
    const update = access.isPaired() ? (store.get("update") ?? null) : null;
    place.hidden = alerts.length === 0 && update === null;
    return html`
      ${alerts.map(
        ({ key, text, kind, again }) => html`
          <p class="remark beside" key=${key} data-key=${key} data-kind=${kind} data-mood=${INFO.has(kind) ? "info" : "warn"}>
            ${icon(ALERT_ICON[kind] ?? "bell")}<span class="grow">${text}</span>
            ${again && tool("begin-again", words.say("page begin-again"), () => restart(again))}
          </p>
        `,
      )}
      ${update && drawUpdate(update)}
    `;
  });
  access.onChange(() => store.schedule(draw));
};

/** The notice in `place` why there is no table (`gone`, `unreached`, …); the function returned shows it or hides it (""). */
export const makeConnectionNotice = (place, words) => {
  let shownReason = "";
  return (why) => {
    if (why !== shownReason) {
      shownReason = why;
      place.hidden = !why;
      const key = `page ${why}`; // by its key, since another language puts other text into the same element
      const markup = html`
        ${icon("gone", "icon gone-icon")}
        <strong key=${key} data-word=${key}>${words.say(key)}</strong>
        <span key=${`${key}-more`} data-word=${`${key}-more`}>${words.say(`${key}-more`)}</span>
      `;
      draw(place, why ? markup : null);
    }
  };
};

const SHOWN_MS = 8000;
const NOTE_ICON = { good: "yes", bad: "no" };
const PRESSABLE = "button, a[href], select, input, textarea, summary";
const EDGES = ["end", "start"];

const overlaps = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A function `say(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const place = el("div", { class: "notes", role: "status" });
  document.body.append(place);
  let timer = 0;
  let number = 0;

  const box = () => place.firstElementChild.getBoundingClientRect();
  /** How many buttons it would hide at this end of the window. */
  const countCovered = (edge) => {
    place.dataset.at = edge;
    return [...document.querySelectorAll(PRESSABLE)].filter((each) => overlaps(box(), each.getBoundingClientRect())).length;
  };
  const placeNote = () => {
    const covered = EDGES.map(countCovered);
    place.dataset.at = EDGES[covered.indexOf(Math.min(...covered))];
  };

  const showNote = (sentence, mood = "good") => {
    const hide = () => showNote("", mood);
    clearTimeout(timer);
    number += 1;
    // another element each time: the same sentence a second time is read out too
    draw(place, html`
      <p class="remark beside note" key=${number} data-note data-mood=${mood} hidden=${sentence === ""} onClick=${hide}>
        ${icon(NOTE_ICON[mood])}<span>${sentence}</span>
      </p>
    `);
    if (sentence !== "") {
      placeNote();
      timer = setTimeout(hide, SHOWN_MS);
    }
  };
  document.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    if (overlaps(box(), { left: x, right: x, top: y, bottom: y })) {
      showNote("");
    }
  });
  addEventListener("hashchange", () => requestAnimationFrame(placeNote)); // other buttons lie below it now
  showNote("");
  return showNote;
};
