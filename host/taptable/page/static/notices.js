// What stays said as long as it is so: parts that are missing, a question that waits, a newer version that is out, and
// that the table itself is gone. It must not know how any of it is put right: what can be begun again is asked for as the
// table says.

import { draw, html, keep, tool } from "./html.js";
import { sign } from "./signs.js";

const SIGN = { missing: "gone", consent: "ask", check: "ask", interrupted: "ask", stuck: "bell", power: "power" };
const INFO = new Set(["consent", "check"]);
/** The view in which something that was begun again goes on, by its verb. */
const WHERE = { check: "correct", "check-deck": "cards", "enrol-member": "people" };

/** Alerts notices in `place`; and for who may change something here, that a newer version is out. */
export const makeAlerts = (place, page) => {
  const { store, words, access } = page;
  const newer = ({ version, sentence, address }) => html`
    <p class="remark beside" key="update" data-key="update" data-mood="info">
      ${sign("bell")}
      <span>
        <strong>${words.say("page update", { version })}</strong> ${sentence}${" "}
        <a class="tool" href=${address} target="_blank" rel="noopener noreferrer">${words.say("page update-more")}</a>
      </span>
    </p>
  `;
  const beginAgain = async ({ do: verb, ...fields }) => {
    const answer = await page.ask({ do: verb, ...fields });
    if (answer.ok) {
      page.views.go(WHERE[verb]);
    } else {
      page.say(answer.why, "bad");
    }
  };
  const draw = keep(place, page, ["alerts", "update"], () => {
    const alerts = store.get("alerts") ?? [];
    const update = access.paired() ? (store.get("update") ?? null) : null;
    place.hidden = alerts.length === 0 && update === null;
    return html`
      ${alerts.map(
        ({ key, text, kind, again }) => html`
          <p class="remark beside" key=${key} data-key=${key} data-kind=${kind} data-mood=${INFO.has(kind) ? "info" : "warn"}>
            ${sign(SIGN[kind] ?? "bell")}<span class="grow">${text}</span>
            ${again && tool("begin-again", words.say("page begin-again"), () => beginAgain(again))}
          </p>
        `,
      )}
      ${update && newer(update)}
    `;
  });
  access.onChange(() => store.soon(draw));
};

/** The notice in `place` why there is no table (`gone`, `unreached`, …); the function returned shows it or hides it (""). */
export const makeGone = (place, words) => {
  let shown = "";
  return (why) => {
    if (why !== shown) {
      shown = why;
      place.hidden = !why;
      const said = `page ${why}`; // by its key, since another language puts other text into the same element
      const told = html`
        ${sign("gone", "sign gone-sign")}
        <strong key=${said} data-word=${said}>${words.say(said)}</strong>
        <span key=${`${said}-more`} data-word=${`${said}-more`}>${words.say(`${said}-more`)}</span>
      `;
      draw(place, why ? told : null);
    }
  };
};
