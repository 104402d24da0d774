// Decides whether this device may change anything: always on the table's own computer, from the network once it is
// paired. The table shows a code, which somebody types in with a name; or, if it can't show one, somebody there allows
// this device to be paired. Also lists the paired devices among the settings. It must not know what is requested
// afterwards.

import { makeModal } from "./dialogs.js";
import { draw, el, html, MAIN } from "./html.js";
import { MAX_NAME_LENGTH } from "./names.js";
import { readStored, writeStored } from "./storage.js";

/**
 * Makes the access check. `pairing` says whether the table is open to the network; `pair()` asks people to pair this
 * device, and returns whether they did.
 */
export const makeAccess = ({ pairing, pair }) => {
  const listeners = new Set();
  let who = { paired: !pairing, name: "" };
  let isKnown = !pairing;

  /** Returns whether protected requests may be sent; asks to pair first if necessary. */
  const ensurePaired = async () => who.paired || (await pair());

  return {
    ensurePaired,
    /** Whether this device is paired, and may change things. */
    isPaired: () => who.paired,
    /** The name under which this device is paired; "" if it isn't. */
    name: () => who.name,
    /** Click handler of a link for paired devices only. */
    followLink: async (event) => {
      const link = event.currentTarget;
      if (!who.paired) {
        event.preventDefault();
        if (await ensurePaired()) {
          link.click();
        }
      }
    },
    /** Calls `listener({paired, name, lost})` now and after each change; `lost` if the device was paired before. */
    onChange: (listener) => {
      listeners.add(listener);
      listener({ ...who, lost: false });
    },
    /** Takes in the answer to a hello. */
    update: ({ paired, name }) => {
      const lost = isKnown && who.paired && !paired;
      isKnown = true;
      who = { paired, name };
      listeners.forEach((listener) => listener({ ...who, lost }));
    },
  };
};

const DIGITS = 6;
const STORAGE_KEY = "taptable-name";
const SECOND_MS = 1000;
const SECOND_US = 1000 * SECOND_MS;

/** Makes the pairing dialog. `pair()` resolves to true once this device is paired, to false if people gave up. */
export const makePairing = ({ live, words, store }) => {
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
  /** Where the table shows the code, as `show-code` answers; "presence" if it can't, "" as long as it has not said. */
  let codePlace = "";
  /** The request that somebody at the table may allow, as `ask-presence` answers, or null. */
  let request = null;
  /** When that lapses, in table time. */
  let lapsesAtUs = 0;
  let countdown = 0;
  let checks = Promise.resolve();

  const update = (change) => {
    change();
    clearTimeout(countdown);
    countdown = request === null ? 0 : setTimeout(() => update(() => {}), SECOND_MS);
    draw(dialog, view());
  };
  const secondsLeft = () => Math.max(0, Math.ceil((lapsesAtUs - store.nowUs()) / SECOND_US));
  const focusCode = () => dialog.querySelector("input")?.focus();

  const requestCode = async () => {
    const isUnknown = codePlace === "";
    update(() => ([why, code] = ["", ""]));
    focusCode();
    const answer = await live.ask({ do: "show-code" });
    update(() => {
      codePlace = answer.ok ? answer.shown : codePlace;
      why = answer.ok ? "" : answer.gone ? say("page pair-unreached") : answer.why;
    });
    if (isUnknown) {
      focusCode();
    }
  };
  const post = async (fields) => {
    const body = JSON.stringify({ ...fields, language: words.language() });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/pair", { method: "POST", headers, body });
    return answer.json();
  };
  const postOrReason = (fields) => post(fields).catch(() => ({ ok: false, why: say("page pair-unreached") }));
  const acceptPairing = () => {
    writeStored(STORAGE_KEY, name);
    // The browser has the cookie now; a new connection sends it.
    live.reconnect();
  };
  const withdrawRequest = () => {
    if (request !== null) {
      live.ask({ do: "withdraw-presence", ticket: request.ticket });
      request = null;
    }
  };
  /** Fetches the pairing, or the reason why there is none. While nobody has allowed it, shows what the last try was. */
  const checkRequest = async () => {
    const asked = request;
    const answer = asked === null ? { waits: true } : await postOrReason({ ticket: asked.ticket });
    if (request !== asked) {
      return;
    }
    if (answer.waits) {
      update(() => (why = answer.why ?? ""));
      return;
    }
    update(() => ([request, why] = [null, answer.ok ? "" : answer.why]));
    if (answer.ok) {
      acceptPairing();
    }
  };
  // the alert of the request changes when it is allowed, and when it ends
  store?.on("alerts", () => (checks = checks.then(checkRequest)));

  const askTable = async () => {
    const answer = await live.ask({ do: "ask-presence", name });
    update(() => {
      request = answer.ok && dialog.open ? answer : null;
      lapsesAtUs = store.nowUs() + (answer.left_s ?? 0) * SECOND_US;
      why = answer.ok ? "" : answer.gone ? say("page pair-unreached") : answer.why;
    });
    if (answer.ok && request === null) {
      live.ask({ do: "withdraw-presence", ticket: answer.ticket });
    }
  };
  const finish = (paired) => {
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
    if (codePlace === "presence") {
      await (request === null ? askTable() : null);
      busy = false;
      return;
    }
    const answer = await postOrReason({ code: code.replace(/\s/g, ""), name });
    busy = false;
    update(() => (why = answer.ok ? "" : answer.why));
    if (answer.ok) {
      acceptPairing();
    } else {
      dialog.querySelector("input").select();
      focusCode();
    }
  };
  dialog.addEventListener("close", () => {
    withdrawRequest();
    finish(false);
  });
  words.onChange(() => update(() => {}));

  const field = (hook, wordKey, value, onChange, attributes) => html`
    <label class="stack gap-xs strong">
      <span>${say(wordKey)}</span>
      <input class="pairing-input" type="text" data-pairing=${hook} value=${value}
        onInput=${({ target }) => onChange(target.value)} ...${attributes} />
    </label>
  `;
  const codeAttributes = { inputmode: "numeric", autocomplete: "one-time-code", maxlength: 2 * DIGITS };
  /** The table has the name by now while a request waits. */
  const nameAttributes = () => ({ autocomplete: "nickname", maxlength: MAX_NAME_LENGTH, readonly: request !== null });
  const button = (hook, wordKey, onClick) => html`
    <button class="tool" type="button" data-pairing=${hook} onClick=${onClick}>${say(wordKey)}</button>
  `;
  /** Before the seats are assigned, seat 0 stands for any button. */
  const describeRequest = ({ seat, hold_s: hold }) =>
    seat === 0 ? say("page presence-any", { hold }) : say("page presence-press", { seat, hold });
  const describePlace = () => codePlace && say(codePlace === "display" ? "page pair-more" : `page pair-more-${codePlace}`);
  const describe = () => (request === null ? describePlace() : describeRequest(request));
  const hasCode = () => codePlace !== "" && codePlace !== "presence";
  const view = () => html`
    <form class="stack" novalidate data-form="pairing" data-place=${codePlace} onSubmit=${send}>
      <h2 class="heading" id="pairing-title">${say("page pair-title")}</h2>
      <p class=${request && "strong"} data-pairing="more" data-asked=${request !== null} aria-live="polite">${describe()}</p>
      ${request && html`<p class="soft digits" role="timer" data-pairing="left">${say("page presence-left", { left: secondsLeft() })}</p>`}
      ${hasCode() && field("code", "page pair-code", code, (text) => (code = text), codeAttributes)}
      ${codePlace !== "" && field("name", "page pair-name", name, (text) => (name = text), nameAttributes())}
      <p class="remark" data-mood="bad" role="alert" data-pairing="why">${why}</p>
      <div class="halves">
        ${button("no", "page pair-not", () => finish(false))}
        ${
          codePlace !== "" &&
          request === null &&
          html`<button ...${MAIN} type="submit" data-pairing="yes">
            ${say(codePlace === "presence" ? "page pair-ask" : "page pair-do")}
          </button>`
        }
      </div>
      ${hasCode() && button("another", "page pair-another", requestCode)}
    </form>
  `;

  return {
    /** Opens the dialog. An earlier call that still waits resolves to false. */
    pair: () => {
      resolve?.(false);
      name ||= readStored(STORAGE_KEY) ?? "";
      update(() => {});
      open();
      requestCode();
      return new Promise((settle) => (resolve = settle));
    },
    /** The table has recognized this device. */
    finish: () => finish(true),
  };
};

/** Makes the list of paired devices among the settings: a view that `draw` renders. */
export const makeDevices = ({ access, live, store, words, confirm, showNote }, draw) => {
  const say = words.say;
  let paired = access.isPaired();
  let open = false;
  let devices = [];

  const button = (hook, text, onClick, attributes = {}) => html`
    <button class="tool" type="button" data-devices=${hook} onClick=${onClick} ...${attributes}>${text}</button>
  `;
  const showAddress = async () => {
    const answer = await live.ask({ do: "show-address" });
    if (!answer.gone) {
      showNote(answer.ok ? say("page address-shown") : answer.why, answer.ok ? "good" : "bad");
    }
  };
  const refresh = async () => {
    if (open && paired) {
      const answer = await live.ask({ do: "devices" });
      devices = answer.ok ? answer.devices : devices;
    }
    draw();
  };
  const unpair = async (title, message) => {
    if (!(await confirm({ asks: message.all ? "unpair-all" : "unpair", title, more: say("page unpair-more") }))) {
      return;
    }
    const answer = await live.ask({ do: "unpair", ...message });
    // unpairing this device closes its connection; the next hello tells the page
    if (!answer.ok && !answer.gone) {
      showNote(answer.why, "bad");
    }
    await refresh();
    document.querySelector('[data-devices="others"] > summary')?.focus();
  };

  access.onChange((who) => {
    paired = who.paired;
    open &&= paired;
    if (who.lost) {
      showNote(say("page unpaired"), "bad");
    }
    refresh();
  });

  const entry = ({ id, name, since, own }) => {
    const date = new Date(since).toLocaleDateString(words.language());
    const ask = () => unpair(say(own ? "page unpair-own-sure" : "page unpair-sure", { name }), { device: id });
    const attributes = { "data-device": id, "aria-label": say("page unpair-one", { name }) };
    return html`
      <li class="devices-entry" key=${id}>
        <span class="anywhere">
          ${name}
          <span class="soft small devices-more">${say(own ? "page paired-own" : "page paired-since", { date })}</span>
        </span>
        ${button("unpair", say("page unpair"), ask, attributes)}
      </li>
    `;
  };
  const unpairAll = () => unpair(say("page unpair-all-sure"), { all: true });
  const handleToggle = ({ target }) => {
    open = target.open;
    refresh();
  };
  const drawOthers = () => html`
    <details class="fold" data-fold="devices" data-devices="others" open=${open} onToggle=${handleToggle}>
      <summary>${say("page paired-devices")}</summary>
      <ul class="stack gap-s" data-devices="list">${devices.map(entry)}</ul>
      ${button("all", say("page unpair-all"), unpairAll, { class: "tool devices-all" })}
    </details>
  `;
  return () => html`
    <section class="stack gap-s" aria-label=${say("page paired-section")}>
      <p class="anywhere" data-devices="status">
        ${paired ? say("page paired-as", { name: access.name() }) : say("page paired-not")}
      </p>
      ${!paired && button("pair", say("page pair"), access.ensurePaired)}
      ${paired && [store.get("parts")?.display && button("address", say("page show-address"), showAddress), drawOthers()]}
    </section>
  `;
};
