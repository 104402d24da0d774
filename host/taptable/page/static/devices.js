// Who is paired with the table, among the settings: by which name this device is, which others are, the end of it for one
// or for all, and the page's address on the display for who comes later. It must not know how one is paired.

import { el } from "./elements.js";

const button = (wordKey, hook, onClick) => {
  const made = el("button", { class: "tool", type: "button", data: { devices: hook } });
  made.dataset.word = wordKey;
  made.addEventListener("click", onClick);
  return made;
};

/** The part of the settings, as one element. */
export const makeDevices = ({ access, live, words, confirm, say }) => {
  const status = el("p", { class: "devices-status", data: { devices: "status" } });
  const pair = button("page pair", "pair", () => access.need());
  const address = button("page show-address", "address", () => showAddress());
  const list = el("ul", { class: "devices-list", data: { devices: "list" } });
  const all = button("page unpair-all", "all", () => unpairAll());
  const others = el(
    "details",
    { class: "devices-others", data: { devices: "others" } },
    el("summary", { "data-word": "page paired-devices" }),
    list,
    all,
  );

  const since = (text) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(words.language());
  };

  const entry = ({ id, name, since: began, own }) => {
    const unpair = button("page unpair", "unpair", () => unpairOne(id, name, own));
    unpair.dataset.device = id;
    unpair.setAttribute("aria-label", words.say("page unpair-one", { name }));
    const more = own ? words.say("page paired-own") : words.say("page paired-since", { date: since(began) });
    const said = el("span", { class: "devices-name" }, name, el("span", { class: "devices-more" }, more));
    return el("li", { class: "devices-entry" }, said, unpair);
  };

  const showAddress = async () => {
    const answer = await live.ask({ do: "show-address" });
    if (!answer.gone) {
      say(answer.ok ? words.say("page address-shown") : answer.why, answer.ok ? "good" : "bad");
    }
  };

  const draw = async () => {
    if (!others.open || !access.paired()) {
      return;
    }
    const answer = await live.ask({ do: "devices" });
    if (answer.ok) {
      list.replaceChildren(...answer.devices.map(entry));
      words.fill(list);
    }
  };

  const unpair = async (message) => {
    const answer = await live.ask({ do: "unpair", ...message });
    // who unpairs this very device loses the connection with it, and is told by the next hello
    if (!answer.ok && !answer.gone) {
      say(answer.why, "bad");
    }
    await draw();
    others.querySelector("summary").focus();
  };

  const unpairOne = async (id, name, own) => {
    const title = words.say(own ? "page unpair-own-sure" : "page unpair-sure", { name });
    if (await confirm({ title, more: words.say("page unpair-more") })) {
      await unpair({ device: id });
    }
  };

  const unpairAll = async () => {
    if (await confirm({ title: words.say("page unpair-all-sure"), more: words.say("page unpair-more") })) {
      await unpair({ all: true });
    }
  };

  const tell = () => {
    status.textContent = access.paired()
      ? words.say("page paired-as", { name: access.name() })
      : words.say("page paired-not");
  };

  others.addEventListener("toggle", draw);
  words.onChange(() => {
    tell();
    draw();
  });
  access.onChange(({ paired, lost }) => {
    tell();
    pair.hidden = paired;
    address.hidden = !paired;
    others.hidden = !paired;
    others.open = others.open && paired;
    if (lost) {
      say(words.say("page unpaired"), "bad");
    }
    draw();
  });
  return el(
    "section",
    { class: "devices", "data-word-label": "page paired-section" },
    status,
    pair,
    address,
    others,
  );
};
