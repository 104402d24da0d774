// Who may do what from this page: everybody on the table's own computer, on the network who is paired. The table shows
// a code, and who types it in with a name is; among the settings stand the devices that are. It must not know what is
// asked for then.

import { makeModal } from "./dialogs.js";
import { draw, el, html, MAIN } from "./html.js";
import { LONGEST_NAME } from "./names.js";
import { keepAs, kept } from "./storage.js";

/**
 * Access for a page. `pairing` says whether the table is open to the network; `pair()` asks people to pair this device,
 * and gives whether they did.
 */
export const makeAccess = ({ pairing, pair }) => {
  const listeners = new Set();
  let who = { paired: !pairing, name: "" };
  let heard = !pairing;

  /** Whether what needs it may be asked for now; who isn't paired is asked to be first. */
  const need = async () => who.paired || (await pair());

  return {
    need,
    /** May this device change anything? */
    paired: () => who.paired,
    /** By which name it is paired; "" if it isn't. */
    name: () => who.name,
    /** What a click on a link does that only who is paired may follow. */
    follow: async (event) => {
      const link = event.currentTarget;
      if (!who.paired) {
        event.preventDefault();
        if (await need()) {
          link.click();
        }
      }
    },
    /** Call `listener({paired, name, lost})` now and after each change; `lost` if it was paired a moment ago. */
    onChange: (listener) => {
      listeners.add(listener);
      listener({ ...who, lost: false });
    },
    /** What the table said to a hello. */
    told: ({ paired, name }) => {
      const lost = heard && who.paired && !paired;
      heard = true;
      who = { paired, name };
      listeners.forEach((listener) => listener({ ...who, lost }));
    },
  };
};

const DIGITS = 6;
const KEPT_AS = "taptable-name";

/** Asks for the code: `pair()` gives true once this device is paired, false if people gave up. */
export const makePairing = ({ live, words }) => {
  const { say } = words;
  const data = { pairing: "dialog", dialog: "pairing" };
  const dialog = el("dialog", { class: "box question", "aria-labelledby": "pairing-title", data });
  document.body.append(dialog);
  const open = makeModal(dialog);
  let resolve = null;
  let busy = false;
  let code = "";
  let name = "";
  let why = "";
  /** Where the table shows the code. */
  let shown = "display";

  const set = (change) => {
    change();
    draw(dialog, view());
  };
  const focusCode = () => dialog.querySelector("input").focus();

  const show = async () => {
    set(() => ([why, code] = ["", ""]));
    focusCode();
    const answer = await live.ask({ do: "show-code" });
    set(() => {
      shown = answer.ok ? answer.shown : shown;
      why = answer.ok ? "" : answer.gone ? say("page pair-unreached") : answer.why;
    });
  };
  const give = async () => {
    const said = { code: code.replace(/\s/g, ""), name, language: words.language() };
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/pair", { method: "POST", headers, body: JSON.stringify(said) });
    return answer.json();
  };
  const done = (paired) => {
    if (dialog.open) {
      dialog.close();
    }
    resolve?.(paired);
    resolve = null;
  };
  const send = async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const answer = await give().catch(() => ({ ok: false, why: say("page pair-unreached") }));
    busy = false;
    set(() => (why = answer.ok ? "" : answer.why));
    if (answer.ok) {
      keepAs(KEPT_AS, name);
      // the browser has the cookie now, and shows it on another connection
      live.again();
    } else {
      dialog.querySelector("input").select();
      focusCode();
    }
  };
  dialog.addEventListener("close", () => done(false));
  words.onChange(() => set(() => {}));

  const field = (hook, wordKey, value, change, of) => html`
    <label class="stack gap-xs strong">
      <span>${say(wordKey)}</span>
      <input class="pairing-input" type="text" data-pairing=${hook} value=${value}
        onInput=${({ target }) => change(target.value)} ...${of} />
    </label>
  `;
  const ofCode = { inputmode: "numeric", autocomplete: "one-time-code", maxlength: 2 * DIGITS };
  const button = (hook, wordKey, does) => html`
    <button class="tool" type="button" data-pairing=${hook} onClick=${does}>${say(wordKey)}</button>
  `;
  const view = () => html`
    <form class="stack" novalidate data-form="pairing" onSubmit=${send}>
      <h2 class="heading" id="pairing-title">${say("page pair-title")}</h2>
      <p data-pairing="more">${say(shown === "display" ? "page pair-more" : `page pair-more-${shown}`)}</p>
      ${field("code", "page pair-code", code, (text) => (code = text), ofCode)}
      ${field("name", "page pair-name", name, (text) => (name = text), { autocomplete: "nickname", maxlength: LONGEST_NAME })}
      <p class="remark" data-mood="bad" role="alert" data-pairing="why">${why}</p>
      <div class="halves">
        ${button("no", "page pair-not", () => done(false))}
        <button ...${MAIN} type="submit" data-pairing="yes">${say("page pair-do")}</button>
      </div>
      ${button("another", "page pair-another", show)}
    </form>
  `;

  return {
    /** Ask for it; whoever asked before is told that nothing came of it. */
    pair: () => {
      resolve?.(false);
      name ||= kept(KEPT_AS) ?? "";
      set(() => {});
      open();
      show();
      return new Promise((settle) => (resolve = settle));
    },
    /** The table knows this device. */
    paired: () => done(true),
  };
};

/** The part of the settings, as a view that `draw` draws. */
export const makeDevices = ({ access, live, words, confirm, say }, draw) => {
  const word = words.say;
  let paired = access.paired();
  let open = false;
  let devices = [];

  const button = (hook, text, does, of = {}) => html`
    <button class="tool" type="button" data-devices=${hook} onClick=${does} ...${of}>${text}</button>
  `;
  const showAddress = async () => {
    const answer = await live.ask({ do: "show-address" });
    if (!answer.gone) {
      say(answer.ok ? word("page address-shown") : answer.why, answer.ok ? "good" : "bad");
    }
  };
  const look = async () => {
    if (open && paired) {
      const answer = await live.ask({ do: "devices" });
      devices = answer.ok ? answer.devices : devices;
    }
    draw();
  };
  const unpair = async (title, message) => {
    if (!(await confirm({ asks: message.all ? "unpair-all" : "unpair", title, more: word("page unpair-more") }))) {
      return;
    }
    const answer = await live.ask({ do: "unpair", ...message });
    // who unpairs this very device loses the connection with it, and is told by the next hello
    if (!answer.ok && !answer.gone) {
      say(answer.why, "bad");
    }
    await look();
    document.querySelector('[data-devices="others"] > summary')?.focus();
  };

  access.onChange((who) => {
    paired = who.paired;
    open &&= paired;
    if (who.lost) {
      say(word("page unpaired"), "bad");
    }
    look();
  });

  const entry = ({ id, name, since, own }) => {
    const date = new Date(since).toLocaleDateString(words.language());
    const ask = () => unpair(word(own ? "page unpair-own-sure" : "page unpair-sure", { name }), { device: id });
    const of = { "data-device": id, "aria-label": word("page unpair-one", { name }) };
    return html`
      <li class="devices-entry" key=${id}>
        <span class="anywhere">
          ${name}
          <span class="soft small devices-more">${word(own ? "page paired-own" : "page paired-since", { date })}</span>
        </span>
        ${button("unpair", word("page unpair"), ask, of)}
      </li>
    `;
  };
  const all = () => unpair(word("page unpair-all-sure"), { all: true });
  const toggled = ({ target }) => {
    open = target.open;
    look();
  };
  const drawOthers = () => html`
    <details class="fold" data-fold="devices" data-devices="others" open=${open} onToggle=${toggled}>
      <summary>${word("page paired-devices")}</summary>
      <ul class="stack gap-s" data-devices="list">${devices.map(entry)}</ul>
      ${button("all", word("page unpair-all"), all, { class: "tool devices-all" })}
    </details>
  `;
  return () => html`
    <section class="stack gap-s" aria-label=${word("page paired-section")}>
      <p class="anywhere" data-devices="status">
        ${paired ? word("page paired-as", { name: access.name() }) : word("page paired-not")}
      </p>
      ${!paired && button("pair", word("page pair"), access.need)}
      ${paired && [button("address", word("page show-address"), showAddress), drawOthers()]}
    </section>
  `;
};
