// What stays said as long as it is so: parts that are missing, a question that waits, and that the table itself is
// gone. It must not know how any of it is put right.

import { el } from "./elements.js";
import { sign } from "./signs.js";

const SIGN = { missing: "gone", consent: "ask", check: "ask", stuck: "bell", power: "power" };

/** Standing notices in `place`. */
export const makeStanding = (place, { store }) => {
  store.on("standing", (notices) => {
    const standing = notices ?? [];
    place.hidden = standing.length === 0;
    place.replaceChildren(
      ...standing.map(({ key, text, kind }) =>
        el("p", { class: "standing-notice", data: { key, kind } }, sign(SIGN[kind] ?? "bell"), el("span", {}, text)),
      ),
    );
  });
};

/** The notice in `place` why there is no table (`gone`, `unreached`, …); the function returned shows it or hides it (""). */
export const makeGone = (place, words) => (why) => {
  if (why === (place.dataset.why ?? "")) {
    return;
  }
  place.dataset.why = why;
  place.hidden = !why;
  const said = `page ${why}`;
  place.replaceChildren(
    ...(why
      ? [
          sign("gone", "sign gone-sign"),
          el("strong", { "data-word": said }, words.say(said)),
          el("span", { "data-word": `${said}-more` }, words.say(`${said}-more`)),
        ]
      : []),
  );
};
