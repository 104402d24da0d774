// What each visitor chooses for this page alone: language, the size of the log, hints, from which seat one looks, speech.
// Kept in the browser; the table never hears of it. Beside it the button that switches the table off, where it can be.

import { makeAloud } from "./aloud.js";
import { makeDevices } from "./devices.js";
import { el } from "./elements.js";
import { makePowerOff } from "./power.js";

const NAMES = { de: "Deutsch", en: "English", fr: "Français", nl: "Nederlands" };
const KEPT_AS = "taptable-settings";
const FIRST = { large: false, hints: true, seat: 1, aloud: false, pace: "usual" };

const remembered = () => {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
};

const remember = (settings) => {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(settings));
  } catch {
    // A browser may forbid storage: the choice then lasts as long as the page.
  }
};

const switchOf = (wordKey, on, change) => {
  const box = el("input", { type: "checkbox", role: "switch", data: { setting: wordKey.split(" ")[1] } });
  box.checked = on;
  box.addEventListener("change", () => change(box.checked));
  return el("label", { class: "switch" }, box, el("span", { "data-word": wordKey }));
};

/** The language in the header and the settings behind a button beside it, in `bar`. */
export const makeSettings = (bar, page) => {
  const { words, about, slots, store } = page;
  const root = document.documentElement;
  const settings = remembered();
  const keep = (name, value) => {
    settings[name] = value;
    remember(settings);
  };
  const change = (name, value) => {
    keep(name, value);
    apply();
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

  const view = el("select", { data: { view: "" } });
  view.addEventListener("change", () => {
    change("seat", Number(view.value));
    slots.own(settings.seat);
  });
  const drawSeats = () => {
    const players = store.get("table")?.players ?? 0;
    view.replaceChildren(
      ...Array.from({ length: players }, (_, at) =>
        el("option", { value: at + 1 }, words.say("page seat", { seat: at + 1 })),
      ),
    );
    view.value = String(Math.min(slots.ownSeat(), players));
  };
  store.on("table", drawSeats);
  slots.onTurned(() => {
    view.value = String(slots.ownSeat());
  });

  const panel = el(
    "div",
    { class: "settings", id: "settings", role: "dialog", "data-word-label": "page settings", hidden: true },
    switchOf("page large-log", settings.large, (on) => change("large", on)),
    switchOf("page hints", settings.hints, (on) => change("hints", on)),
    el("label", { class: "pick pick-wide" }, el("span", { "data-word": "page view-from" }), view),
    makeAloud({ store, words }, settings, keep),
    about.pairing ? makeDevices(page) : null,
    about.power_off ? makePowerOff(page) : null,
  );
  const button = bar.querySelector("[data-settings]");
  const open = (wanted) => {
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
  };
  button.addEventListener("click", () => open(panel.hidden));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
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
  words.fill(panel);
  apply();
  slots.own(settings.seat);
};
