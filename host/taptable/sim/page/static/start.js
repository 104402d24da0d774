// The welcome: what this is, how many play, which edition and build, play or watch; and what stands in the header: a
// new table, speed, sound. Knows no rule of the game.

import { make, set } from "./dom.js";

const STEPS = [1, 2, 3];
const SEEN = "taptable.welcomed";

const welcomed = () => {
  try {
    return sessionStorage.getItem(SEEN) !== null;
  } catch {
    return true;
  }
};

const beWelcomed = () => {
  try {
    sessionStorage.setItem(SEEN, "true");
  } catch {
    // shown again at the next visit
  }
};

const field = (id, word, select) =>
  make("div", { class: "field" }, make("label", { for: id, word }), select);

/** A button with what it does, and what that means in small. */
const twoLines = (name, what) =>
  make(
    "button",
    { class: name, data: { do: what } },
    make("strong", { word: `page start-${what}` }),
    make("small", { word: `page start-${what}-more` }),
  );

const options = (select, choices) =>
  select.append(...choices.map(([value, of]) => make("option", { value, ...of })));

/**
 * The dialog, and a function that opens it.
 * @param {any} page
 */
export const makeStart = ({ live, store, words, about }) => {
  const { players: counts, editions, compact_players: mostCompact } = about.annex;
  const players = make("select", { id: "start-players", data: { players: "" } });
  options(players, counts.map((count) => [count, { text: String(count) }]));
  const edition = make("select", { id: "start-edition", data: { edition: "" } });
  options(edition, editions.map((each) => [each, { word: `page edition-${each}` }]));
  let chosen = false;
  const build = make("select", { id: "start-build", data: { build: "" } });
  options(build, [["full", { word: "page build-full" }], ["compact", { word: "page build-compact" }]]);
  const trouble = make("p", { class: "start-trouble", role: "status" });
  const close = make("button", { class: "start-close", data: { do: "close" }, word: "page start-close" });
  const play = twoLines("start-play", "play");
  const watch = twoLines("start-watch", "watch");
  const title = make("h2", { class: "start-title", id: "start-title" });
  const aim = make("p", { class: "start-aim" });
  const editionField = field("start-edition", "page start-edition", edition);
  editionField.hidden = editions.length < 2;
  const dialog = make(
    "dialog",
    { class: "start", data: { start: "" }, "aria-labelledby": "start-title" },
    title,
    make("p", { class: "start-text", word: "page start-what" }),
    aim,
    make("ol", { class: "start-steps" }, ...STEPS.map((step) => make("li", { word: `page start-step-${step}` }))),
    make(
      "div",
      { class: "start-fields" },
      field("start-players", "page start-players", players),
      editionField,
      field("start-build", "page start-build", build),
    ),
    trouble,
    make("div", { class: "start-deeds" }, play, watch, close),
  );
  document.body.append(dialog);

  /** The edition of the page's language, unless somebody chose another. */
  const openEdition = () => {
    const demo = store.get("demo");
    if (demo && !chosen) {
      edition.value = demo.edition_open && editions.includes(words.language()) ? words.language() : demo.edition;
    }
  };

  const draw = () => {
    words.fill(dialog);
    openEdition();
    aim.textContent = words.say("guide aim", store.get("table")?.facts);
    title.textContent = words.say("page start-title", { game: words.say("page game") });
  };
  words.onChange(draw);

  /** A board for four has no fifth seat. */
  const fit = () => {
    const compact = build.value === "compact";
    [...players.options].forEach((option) => {
      option.disabled = compact && Number(option.value) > mostCompact;
    });
    if (compact && Number(players.value) > mostCompact) {
      players.value = String(mostCompact);
    }
  };
  build.addEventListener("change", fit);
  edition.addEventListener("change", () => {
    chosen = true;
  });

  const open = () => {
    const demo = store.get("demo");
    if (demo) {
      players.value = String(demo.players);
      chosen = false;
      build.value = demo.compact ? "compact" : "full";
      fit();
    }
    trouble.textContent = "";
    draw();
    if (!dialog.open) {
      dialog.showModal();
      play.focus();
    }
  };

  const begin = async (people) => {
    [play, watch].forEach((button) => set(button, "disabled", ""));
    const answer = await live.ask({
      do: "new-table",
      players: Number(players.value),
      edition: edition.value,
      compact: build.value === "compact",
      people,
    });
    [play, watch].forEach((button) => set(button, "disabled", null));
    if (answer.ok || answer.gone) {
      dialog.close();
    } else {
      trouble.textContent = answer.why;
    }
  };

  dialog.addEventListener("click", (event) => {
    switch (event.target.closest("button")?.dataset.do) {
      case "play":
        void begin([1]);
        break;
      case "watch":
        void begin([]);
        break;
      case "close":
        dialog.close();
        break;
      default:
    }
  });
  dialog.addEventListener("close", beWelcomed);

  let greeted = welcomed();
  store.on("demo", (demo) => {
    if (demo && !greeted) {
      greeted = true;
      open();
    }
  });
  return { open };
};

/**
 * The demo's buttons in the header: new table, speed, sound.
 * @param {any} page
 * @param {{muted: boolean}} sounder
 * @param {() => void} openStart
 */
export const fillBar = ({ about, live, store, slots, words }, sounder, openStart) => {
  const fresh = make(
    "button",
    { class: "bar-button", data: { do: "new-table", wordLabel: "page new-table", wordTitle: "page new-table" } },
    make("span", { class: "bar-sign", "aria-hidden": "true", text: "⊕" }),
    make("span", { class: "bar-text", word: "page new-table" }),
  );
  fresh.addEventListener("click", openStart);

  const named = { wordLabel: "page speed", wordTitle: "page speed" };
  const speed = make("select", { class: "speed", data: { speed: "", ...named } });
  options(speed, about.annex.speeds.map((each) => [each, {}]));
  speed.addEventListener("change", () => live.ask({ do: "speed", speed: Number(speed.value) }));
  store.on("demo", (demo) => {
    if (demo === undefined) {
      return;
    }
    if (![...speed.options].some((option) => Number(option.value) === demo.speed)) {
      options(speed, [[demo.speed, {}]]);
    }
    [...speed.options].forEach((option) => {
      option.textContent = `× ${words.number(Number(option.value), Number(option.value) % 1 ? 1 : 0)}`;
    });
    speed.value = String(demo.speed);
  });

  const mute = make("button", { class: "bar-button mute", data: { mute: "" } });
  const drawMute = () => {
    mute.textContent = sounder.muted ? "♪̸" : "♪";
    set(mute, "aria-pressed", sounder.muted);
    set(mute, "aria-label", words.say("page mute"));
    set(mute, "title", words.say(sounder.muted ? "page sound-off" : "page sound-on"));
  };
  mute.addEventListener("click", () => {
    sounder.muted = !sounder.muted;
    drawMute();
  });
  words.onChange(drawMute);
  drawMute();
  slots.bar.append(fresh, speed, mute);
  words.fill(slots.bar);
};
