// Notices that stay while they hold: missing parts, a waiting question, a newer version, a lost connection; and notes
// on the outcome of a request, one at a time and for some seconds. It must not know how a fault is mended: restarts are
// requested with the fields that the table gives.

import { draw, drawOnChange, el, html, icon, tool } from "./html.js";

const ALERT_ICON = { missing: "gone", consent: "ask", check: "ask", interrupted: "ask", stuck: "bell", power: "power" };
/** The subjects of alerts about parts that may have been plugged in elsewhere. */
const PLUGGED_IN = /^((pad|button|lamp) \d+|discard pad)$/;
const INFO = new Set(["consent", "check"]);
/** The view in which a restarted action continues, by its verb. */
const VIEW_OF_VERB = { check: "correct", "check-deck": "cards", "enrol-member": "people" };

/** Draws alerts into `place`; on paired devices also that a newer version is available. */
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
  const drawLook = () => html`
    <p class="remark beside" key="look" data-key="look" data-mood="info">
      ${icon("look")}<span class="grow">${words.say("page look-elsewhere")}</span>
      ${tool("look-for-parts", words.say("seats look"), () => page.askAndReport({ do: "look-for-parts" }))}
    </p>
  `;
  const restart = async ({ do: verb, ...fields }) => {
    if ((await page.askAndReport({ do: verb, ...fields })).ok) {
      page.views.go(VIEW_OF_VERB[verb]);
    }
  };
  /** Parts of seats that were assigned by touching are found again where they are plugged in now. */
  const canLook = ({ key, kind }) => kind === "missing" && PLUGGED_IN.test(key) && store.get("parts")?.source === "parts.toml";
  const draw = drawOnChange(place, page, ["alerts", "update", "parts"], () => {
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
      ${alerts.some(canLook) && drawLook()}
      ${update && drawUpdate(update)}
    `;
  });
  access.onChange(() => store.schedule(draw));
};

/**
 * Returns a function that shows in `place` why there is no connection (`gone`, `unreached`, …), and hides the notice
 * for "".
 */
export const makeConnectionNotice = (place, words) => {
  let shownReason = "";
  return (why) => {
    if (why !== shownReason) {
      shownReason = why;
      place.hidden = !why;
      const key = `page ${why}`; // keyed, because a change of language writes other text into the same element
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

/** Returns `showNote(sentence, mood)`; `mood` is "good" or "bad". */
export const makeNotes = () => {
  const place = el("div", { class: "notes", role: "status" });
  document.body.append(place);
  let timer = 0;
  let number = 0;

  const box = () => place.firstElementChild.getBoundingClientRect();
  /** Returns how many controls a note would cover at this edge of the window. */
  const countCovered = (edge) => {
    place.dataset.at = edge;
    const pressable = [...document.querySelectorAll(PRESSABLE)];
    return pressable.filter((each) => overlaps(box(), each.getBoundingClientRect())).length;
  };
  const placeNote = () => {
    const covered = EDGES.map(countCovered);
    place.dataset.at = EDGES[covered.indexOf(Math.min(...covered))];
  };

  const showNote = (sentence, mood = "good") => {
    const hide = () => showNote("", mood);
    clearTimeout(timer);
    number += 1;
    // A new element each time, so that a repeated sentence is announced again.
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
  // the new view has other controls below the note
  addEventListener("hashchange", () => requestAnimationFrame(placeNote));
  showNote("");
  return showNote;
};
