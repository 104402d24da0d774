// Who is paired with the table, among the settings: by which name this device is, which others are, the end of it for one
// or for all, and the page's address on the display for who comes later. It must not know how one is paired.

import { html } from "./html.js";

/** The part of the settings, as a view that `draw` draws. */
export const makeDevices = ({ access, live, words, confirm, say }, draw) => {
  const word = words.say;
  let paired = access.paired();
  let open = false;
  let devices = [];

  const button = (hook, text, does, of = {}) => html`
    <button class="tool" type="button" data-devices=${hook} onClick=${does} ...${of}>${text}</button>
  `;
  const since = (text) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(words.language());
  };
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

  const entry = ({ id, name, since: began, own }) => html`
    <li class="devices-entry" key=${id}>
      <span class="anywhere">
        ${name}
        <span class="soft small devices-more">
          ${own ? word("page paired-own") : word("page paired-since", { date: since(began) })}
        </span>
      </span>
      ${button(
        "unpair",
        word("page unpair"),
        () => unpair(word(own ? "page unpair-own-sure" : "page unpair-sure", { name }), { device: id }),
        { "data-device": id, "aria-label": word("page unpair-one", { name }) },
      )}
    </li>
  `;
  const toggled = ({ target }) => {
    open = target.open;
    look();
  };
  const drawOthers = () => html`
    <details class="fold" data-fold="devices" data-devices="others" open=${open} onToggle=${toggled}>
      <summary>${word("page paired-devices")}</summary>
      <ul class="stack gap-s" data-devices="list">${devices.map(entry)}</ul>
      ${button("all", word("page unpair-all"), () => unpair(word("page unpair-all-sure"), { all: true }), {
        class: "tool devices-all",
      })}
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
