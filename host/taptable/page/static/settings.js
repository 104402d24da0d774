// What each visitor chooses for this page alone: language, the size of the log, hints, from which seat one looks,
// speech. Kept in the browser; the table never hears of it. Beside it the button that switches the table off, where it
// can be.

import { closeByBack } from "./dialogs.js";
import { el, html, keep as keepDrawn, pick, sign, toggle } from "./html.js";
import { makeDevices } from "./pairing.js";
import { makeAloud } from "./speech.js";
import { keepAs, kept } from "./storage.js";
import { offerLanguages } from "./words.js";

/**
 * The button that switches the table off and its question as `{view, closed}`: a view that `draw` draws, and what is
 * done once it isn't shown.
 */
const makePowerOff = (page, draw) => {
  const { say } = page.words;
  let asking = false;
  let why = "";

  const ask = (wanted, said = why) => {
    [asking, why] = [wanted, said];
    draw();
    document.querySelector(`[data-power="${wanted ? "no" : "ask"}"]`).focus();
  };
  const switchOff = async () => {
    const answer = await page.ask({ do: "power-off" });
    ask(false, answer.why ?? "");
  };
  const choice = (hook, wordKey, does, before = null) => html`
    <button class="tool" type="button" data-power=${hook} onClick=${does}>${before}<span>${say(wordKey)}</span></button>
  `;
  const closed = () => {
    [asking, why] = [false, ""];
    draw();
  };
  const view = () => html`
    <div class="stack gap-xs power">
      ${asking
        ? html`
            <div class="halves" role="group" data-step="power-off" aria-label=${say("page power-off")}>
              <p>${say("page power-off-sure")}</p>
              ${choice("no", "page power-off-no", () => ask(false))}
              ${choice("yes", "page power-off-yes", switchOff, sign("power"))}
            </div>
          `
        : choice("ask", "page power-off", () => ask(true, ""), sign("power"))}
      <p class="wrong" role="alert" data-power-why>${why}</p>
    </div>
  `;
  return { view, closed };
};

const KEPT_AS = "taptable-settings";
const FIRST = { large: false, hints: true, turns: 0, seat: 1, aloud: false, pace: "usual", explain: false };
/** After so many turns of their own somebody knows how it goes. */
const LEARNT = 3;

const remembered = () => {
  try {
    return { ...FIRST, ...JSON.parse(kept(KEPT_AS) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
};

/**
 * The language in the header and the settings behind a button beside it, in `bar`. `hasPlayed()` counts the turns that
 * a person at this page has completed: after the third, hints are off, unless somebody has used their switch.
 */
export const makeSettings = (bar, page) => {
  const { words, about, slots, store } = page;
  const { say } = words;
  const root = document.documentElement;
  const settings = remembered();
  const keep = (name, value) => {
    settings[name] = value;
    keepAs(KEPT_AS, JSON.stringify(settings));
  };
  const apply = () => {
    root.dataset.textLog = settings.large ? "large" : "small";
    root.dataset.hints = String(settings.hints);
    slots.tabs.offer("counts", settings.hints);
  };

  offerLanguages(bar.querySelector("[data-language]"), about.languages, words);
  const data = { dialog: "settings", wordLabel: "page settings" };
  const panel = el("div", { class: "box stack gap-xs settings", id: "settings", role: "dialog", data, hidden: true });
  const switchOf = (name, hook) => {
    const change = (on) => {
      keep(name, on);
      if (name === "hints") {
        keep("turns", LEARNT);
      }
      apply();
    };
    return toggle(say(`page ${hook}`), settings[name], change, { "data-setting": hook });
  };
  const look = (seat) => {
    keep("seat", Number(seat));
    slots.own(settings.seat);
  };
  const drawSeats = () => {
    const seats = Array.from({ length: store.get("table")?.players ?? 0 }, (_, at) => at + 1);
    const options = seats.map((seat) => [seat, say("page seat", { seat })]);
    return pick(Math.min(slots.ownSeat(), seats.length), options, look, { "data-view": "" });
  };
  const draw = keepDrawn(
    panel,
    page,
    ["table"],
    () => html`
      ${switchOf("large", "large-log")} ${switchOf("hints", "hints")}
      <label class="pick pick-wide"><span>${say("page view-from")}</span>${drawSeats()}</label>
      ${parts.map((part) => part())}
    `,
  );
  const soon = () => store.soon(draw);
  const powerOff = makePowerOff(page, draw);
  const parts = [
    makeAloud(page, settings, keep, soon),
    ...(about.pairing ? [makeDevices(page, soon)] : []),
    ...(about.power_off ? [powerOff.view] : []),
  ];
  words.onChange(soon);
  slots.onTurned(soon);

  const button = bar.querySelector("[data-settings]");
  let closed = null;
  const open = (wanted) => {
    if (panel.hidden !== wanted) {
      return;
    }
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (wanted) {
      closed = closeByBack(() => open(false));
    } else {
      closed();
      powerOff.closed();
    }
  };
  button.addEventListener("click", () => open(panel.hidden));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden && !event.target.closest("dialog")) {
      event.stopPropagation();
      open(false);
      button.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    const within = panel.contains(event.target) || button.contains(event.target) || event.target.closest("dialog");
    if (!panel.hidden && !within) {
      open(false);
    }
  });
  bar.after(panel);
  apply();
  slots.own(settings.seat);
  return {
    hasPlayed: () => {
      if (settings.turns >= LEARNT) {
        return;
      }
      keep("turns", settings.turns + 1);
      if (settings.turns === LEARNT) {
        keep("hints", false);
        apply();
        soon();
        page.say(say("page hints-learnt"));
      }
    },
  };
};
