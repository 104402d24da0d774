// Settings of this browser: language, size of the log, hints, the seat from which the table is seen, speech. They are
// stored in the browser and never sent to the table. Also the address of the scoreboard for another screen, and the
// button that shuts the table's computer down, if it may.

import { closeOnBack } from "./dialogs.js";
import { drawOnChange, el, html, icon, pick, toggle } from "./html.js";
import { makeDevices } from "./pairing.js";
import { makeSpeechSettings } from "./speech.js";
import { readStored, writeStored } from "./storage.js";
import { fillLanguageSelect } from "./words.js";

/** The shutdown button with its question: `{view, closed}`. `draw` renders the view; `closed()` resets the question. */
const makePowerOff = (page, draw) => {
  const { say } = page.words;
  let isAsking = false;
  let why = "";

  const ask = (shouldAsk, reason = why) => {
    [isAsking, why] = [shouldAsk, reason];
    draw();
    document.querySelector(`[data-power="${shouldAsk ? "no" : "ask"}"]`).focus();
  };
  const switchOff = async () => {
    const answer = await page.ask({ do: "power-off" });
    ask(false, answer.why ?? "");
  };
  const choice = (hook, wordKey, onClick, before = null) => html`
    <button class="tool" type="button" data-power=${hook} onClick=${onClick}>${before}<span>${say(wordKey)}</span></button>
  `;
  const closed = () => {
    [isAsking, why] = [false, ""];
    draw();
  };
  const view = () => html`
    <div class="stack gap-xs power">
      ${isAsking
        ? html`
            <div class="halves" role="group" data-step="power-off" aria-label=${say("page power-off")}>
              <p>${say("page power-off-sure")}</p>
              ${choice("no", "page power-off-no", () => ask(false))}
              ${choice("yes", "page power-off-yes", switchOff, icon("power"))}
            </div>
          `
        : choice("ask", "page power-off", () => ask(true, ""), icon("power"))}
      <p class="wrong" role="alert" data-power-why>${why}</p>
    </div>
  `;
  return { view, closed };
};

/** Blank modules round a QR code. */
const QUIET = 4;

/** The scoreboard for another screen as a view that `draw` renders: a link, and its address with a QR code. */
const makeOtherScreen = ({ words, about }, draw) => {
  const { say } = words;
  let shown = { address: null, qr: null };

  const fetchAddress = async () => {
    // without an answer the link is enough; the page says by itself that the table is gone
    const answer = await fetch("/scoreboard.json").catch(() => ({ ok: false }));
    shown = answer.ok ? await answer.json() : shown;
    draw();
  };
  const drawCode = ({ size, path }) => html`
    <svg class="screen-code" viewBox=${`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`} role="img"
      aria-label=${say("page board-qr")} data-screen="qr">
      <path d=${path} />
    </svg>
  `;
  return () => html`
    <details class="fold" data-fold="screen" onToggle=${({ target }) => target.open && fetchAddress()}>
      <summary>${say("page board-show")}</summary>
      <div class="stack gap-s">
        <p>${say(about.pairing ? "page board-more" : "page board-local")}</p>
        <a class="tool anywhere" href="/scoreboard" target="_blank" rel="noopener" data-screen="link">
          ${shown.address ?? `${location.origin}/scoreboard`}
        </a>
        ${shown.qr !== null && drawCode(shown.qr)}
      </div>
    </details>
  `;
};

const STORAGE_KEY = "taptable-settings";
const DEFAULTS = { large: false, hints: true, turns: 0, seat: 1, aloud: false, pace: "usual", explain: false };
/** After this many completed turns the hints are switched off. */
const LEARNT_TURNS = 3;

const readSettings = () => {
  try {
    return { ...DEFAULTS, ...JSON.parse(readStored(STORAGE_KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
};

/**
 * Builds the language select in `bar` and the settings panel. `hasPlayed()` counts turns completed at this page: after
 * the third, hints are switched off, unless somebody has used their switch.
 */
export const makeSettings = (bar, page) => {
  const { words, about, slots, store } = page;
  const { say } = words;
  const root = document.documentElement;
  const settings = readSettings();
  const save = (name, value) => {
    settings[name] = value;
    writeStored(STORAGE_KEY, JSON.stringify(settings));
  };
  const apply = () => {
    root.dataset.textLog = settings.large ? "large" : "small";
    root.dataset.hints = String(settings.hints);
    slots.tabs.setVisible("counts", settings.hints);
  };

  fillLanguageSelect(bar.querySelector("[data-language]"), about.languages, words);
  const data = { dialog: "settings", wordLabel: "page settings" };
  const panel = el("div", { class: "box stack gap-xs settings", id: "settings", role: "dialog", data, hidden: true });
  const drawSwitch = (name, hook) => {
    const change = (on) => {
      save(name, on);
      if (name === "hints") {
        save("turns", LEARNT_TURNS);
      }
      apply();
    };
    return toggle(say(`page ${hook}`), settings[name], change, { "data-setting": hook });
  };
  const lookFromSeat = (seat) => {
    save("seat", Number(seat));
    slots.setOwnSeat(settings.seat);
  };
  const drawSeats = () => {
    const seats = Array.from({ length: store.get("table")?.players ?? 0 }, (_, at) => at + 1);
    const options = seats.map((seat) => [seat, say("page seat", { seat })]);
    return pick(Math.min(slots.ownSeat(), seats.length), options, lookFromSeat, { "data-view": "" });
  };
  const draw = drawOnChange(
    panel,
    page,
    ["table", "parts"],
    () => html`
      ${drawSwitch("large", "large-log")} ${drawSwitch("hints", "hints")}
      ${!store.get("parts")?.step && html`<label class="pick pick-wide"><span>${say("page view-from")}</span>${drawSeats()}</label>`}
      ${parts.map((part) => part())}
    `,
  );
  const scheduleDraw = () => store.schedule(draw);
  const powerOff = makePowerOff(page, draw);
  const parts = [
    makeSpeechSettings(page, settings, save, scheduleDraw),
    makeOtherScreen(page, scheduleDraw),
    ...(about.pairing ? [makeDevices(page, scheduleDraw)] : []),
    ...(about.power_off ? [powerOff.view] : []),
  ];
  words.onChange(scheduleDraw);
  slots.onSeatsChange(scheduleDraw);

  const button = bar.querySelector("[data-settings]");
  let stopClosingOnBack = null;
  const setOpen = (isOpen) => {
    if (panel.hidden !== isOpen) {
      return;
    }
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      stopClosingOnBack = closeOnBack(() => setOpen(false));
    } else {
      stopClosingOnBack();
      powerOff.closed();
    }
  };
  button.addEventListener("click", () => setOpen(panel.hidden));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden && !event.target.closest("dialog")) {
      event.stopPropagation();
      setOpen(false);
      button.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    const isInside = panel.contains(event.target) || button.contains(event.target) || event.target.closest("dialog");
    if (!panel.hidden && !isInside) {
      setOpen(false);
    }
  });
  bar.after(panel);
  apply();
  slots.setOwnSeat(settings.seat);
  return {
    hasPlayed: () => {
      if (settings.turns >= LEARNT_TURNS) {
        return;
      }
      save("turns", settings.turns + 1);
      if (settings.turns === LEARNT_TURNS) {
        save("hints", false);
        apply();
        scheduleDraw();
        page.showNote(say("page hints-learnt"));
      }
    },
  };
};
