// What each visitor chooses for this page alone: language, the size of the log, hints, from which seat one looks, speech.
// Kept in the browser; the table never hears of it. Beside it the button that switches the table off, where it can be.

import { makeAloud } from "./aloud.js";
import { makeDevices } from "./devices.js";
import { closeByBack } from "./dialogs.js";
import { el } from "./elements.js";
import { html, keep as keepDrawn, pick } from "./html.js";
import { keepAs, kept } from "./kept.js";
import { makePowerOff } from "./power.js";

const NAMES = { de: "Deutsch", en: "English", fr: "Français", nl: "Nederlands" };
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

  const language = bar.querySelector("[data-language]");
  const narrow = matchMedia("(width < 56.25rem)");
  const nameLanguages = () => {
    [...language.options].forEach((option) => {
      option.textContent = narrow.matches ? option.value.toUpperCase() : (NAMES[option.value] ?? option.value);
    });
  };
  language.append(...about.languages.map((code) => el("option", { value: code, lang: code })));
  nameLanguages();
  narrow.addEventListener("change", nameLanguages);
  language.value = words.language();
  language.addEventListener("change", () => words.use(language.value, { keep: true }));

  const panel = el("div", {
    class: "settings stack gap-xs",
    id: "settings",
    role: "dialog",
    data: { dialog: "settings" },
    "data-word-label": "page settings",
    hidden: true,
  });
  const switchOf = (name, hook) => {
    const change = ({ target }) => {
      keep(name, target.checked);
      if (name === "hints") {
        keep("turns", LEARNT);
      }
      apply();
    };
    return html`
      <label class="switch">
        <input type="checkbox" role="switch" data-setting=${hook} checked=${settings[name]} onChange=${change} />
        <span>${say(`page ${hook}`)}</span>
      </label>
    `;
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
  const powerOff = about.power_off ? makePowerOff(page, draw) : null;
  const parts = [
    makeAloud(page, settings, keep, soon),
    ...(about.pairing ? [makeDevices(page, soon)] : []),
    ...(powerOff === null ? [] : [powerOff.view]),
  ];
  words.onChange(soon);
  slots.onTurned(soon);

  const button = bar.querySelector("[data-settings]");
  let closed = () => {};
  const open = (wanted) => {
    if (panel.hidden !== wanted) {
      return;
    }
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    closed();
    if (wanted) {
      closed = closeByBack(() => open(false));
    } else {
      closed = () => {};
      powerOff?.closed();
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
