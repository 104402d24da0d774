// The welcome dialog: what this is, number of players, edition, build, play or watch. Also the demo's controls in the
// header: new table, speed, sound. It must not know the rules of the game.

import { makeModal } from "/static/dialogs.js";
import { draw as drawInto, drawOnChange, el, html, pick, pickField } from "/static/html.js";
import { readStored, writeStored } from "/static/storage.js";

const STEPS = [1, 2, 3];
const SEEN_KEY = "taptable.welcomed";

/** Makes the dialog. Returns `{open}`. */
export const makeStart = ({ live, store, words, about }) => {
  const { say } = words;
  const { players: counts, editions, builds } = about.demo;
  const dialog = el("dialog", { class: "start", data: { start: "", dialog: "start" }, "aria-labelledby": "start-title" });
  document.body.append(dialog);
  const show = makeModal(dialog);
  const chosen = { players: counts[0], edition: null, build: "full" };
  let trouble = "";
  let busy = false;

  /** Returns the chosen edition, else that of the page's language if the edition may still change, else the table's. */
  const currentEdition = () => {
    const { edition_open: isOpen = false, edition = editions[0] } = store.get("demo") ?? {};
    return chosen.edition ?? (isOpen && editions.includes(words.language()) ? words.language() : edition);
  };
  const choose = (changes) => {
    Object.assign(chosen, changes);
    chosen.players = Math.min(chosen.players, builds[chosen.build]);
    draw();
  };
  const begin = async (people) => {
    busy = true;
    draw();
    const { players, build } = chosen;
    const answer = await live.ask({ do: "new-table", players, edition: currentEdition(), build, people });
    busy = false;
    trouble = answer.ok || answer.gone ? "" : answer.why;
    draw();
    if (answer.ok || answer.gone) {
      dialog.close();
    }
  };

  const choice = (name, value, options, onChange) =>
    pickField(`start-${name}`, say(`page start-${name}`), value, options, onChange, { [`data-${name}`]: "" });
  /** Draws a button with a second line that explains it. */
  const startButton = (what, people) => html`
    <button class=${`start-${what}`} type="button" data-do=${what} disabled=${busy} onClick=${() => begin(people)}>
      <strong>${say(`page start-${what}`)}</strong><small>${say(`page start-${what}-more`)}</small>
    </button>
  `;
  const draw = () => {
    const labelled = (what, names) => names.map((name) => [name, say(`page ${what}-${name}`)]);
    const numbers = counts.map((count) => [count, count, count > builds[chosen.build]]);
    drawInto(
      dialog,
      html`
        <h2 class="start-title" id="start-title">${say("page start-title", { game: say("page game") })}</h2>
        <p class="start-text">${say("page start-what")}</p>
        <p class="start-aim">${say("guide aim", store.get("table")?.facts)}</p>
        <ol class="start-steps">${STEPS.map((step) => html`<li>${say(`page start-step-${step}`)}</li>`)}</ol>
        <div class="start-fields">
          ${choice("players", chosen.players, numbers, (value) => choose({ players: Number(value) }))}
          ${editions.length > 1 &&
          choice("edition", currentEdition(), labelled("edition", editions), (edition) => choose({ edition }))}
          ${choice("build", chosen.build, labelled("build", Object.keys(builds)), (build) => choose({ build }))}
        </div>
        <div class="start-trouble" role="status">${trouble}</div>
        <div class="halves">
          ${startButton("play", [1])} ${startButton("watch", [])}
          <button class="start-close" type="button" data-do="close" onClick=${() => dialog.close()}>
            ${say("page start-close")}
          </button>
        </div>
      `,
    );
  };
  words.onChange(draw);

  const open = () => {
    const demo = store.get("demo");
    trouble = "";
    choose(demo ? { players: demo.players, edition: null, build: demo.build } : {});
    if (!dialog.open) {
      show();
      dialog.querySelector('[data-do="play"]').focus();
    }
  };
  dialog.addEventListener("close", () => writeStored(SEEN_KEY, "true", "sessionStorage"));

  let wasShown = readStored(SEEN_KEY, "sessionStorage") !== null;
  store.on("demo", (demo) => {
    if (demo && !wasShown) {
      wasShown = true;
      open();
    }
  });
  return { open };
};

/** Adds the demo's controls to the header: new table, speed, sound. */
export const fillBar = (page, sounder, openStart) => {
  const { about, live, store, slots, words } = page;
  const { say } = words;
  const mute = () => {
    sounder.muted = !sounder.muted;
    draw();
  };
  const draw = drawOnChange(slots.bar, page, ["demo"], () => {
    const { speed = 1 } = store.get("demo") ?? {};
    const speeds = about.demo.speeds.includes(speed) ? about.demo.speeds : [...about.demo.speeds, speed];
    const options = speeds.map((each) => [each, `× ${words.number(each, each % 1 ? 1 : 0)}`]);
    const setSpeed = (value) => live.ask({ do: "speed", speed: Number(value) });
    const titleOf = (key) => ({ title: say(key), "aria-label": say(key) });
    return html`
      <button class="bar-button" type="button" data-do="new-table" onClick=${openStart} ...${titleOf("page new-table")}>
        <span class="bar-symbol" aria-hidden="true">⊕</span><span class="bar-text">${say("page new-table")}</span>
      </button>
      ${pick(speed, options, setSpeed, { class: "speed", "data-speed": "", ...titleOf("page speed") })}
      <button class="bar-button mute" type="button" data-mute aria-pressed=${sounder.muted} aria-label=${say("page mute")}
        title=${say(sounder.muted ? "page sound-off" : "page sound-on")} onClick=${mute}>
        ${sounder.muted ? "♪̸" : "♪"}
      </button>
    `;
  });
};
