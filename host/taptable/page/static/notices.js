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

/** The notice in `place` that the table is gone; the function returned shows it (true) or hides it. */
export const makeGone = (place, words) => (gone) => {
  if (gone === !place.hidden) {
    return;
  }
  place.hidden = !gone;
  place.replaceChildren(
    ...(gone
      ? [
          sign("gone", "sign gone-sign"),
          el("strong", { "data-word": "page gone" }, words.say("page gone")),
          el("span", { "data-word": "page gone-more" }, words.say("page gone-more")),
        ]
      : []),
  );
};
