// What the table said of a person's last deed: its sentences, the rule, and after a refusal what would count. Knows the
// table's own words only.

import { make, reachable, say, set } from "./dom.js";

const SIGNS = { announced: "✓", refused: "✕", ignored: "–", fault: "!", notice: "•" };
const STAYS_MS = 12000;

/**
 * @param {{words: any}} page
 * @param {number} seat
 */
export const makeAnswer = ({ words }, seat) => {
  const element = make("div", { class: "answer", role: "status", data: { answer: seat } });
  let timer = 0;
  let legal = null;

  const sentence = (kind, text, rule) => {
    const line = make(
      "p",
      { class: "said", data: { kind } },
      make("span", { class: "said-sign", "aria-hidden": "true", text: SIGNS[kind] ?? "•" }),
      make("span", { class: "said-text", text }),
    );
    if (rule) {
      line.append(" ", make("span", { class: "said-rule", text: rule }));
    }
    return line;
  };

  const clear = () => {
    clearTimeout(timer);
    element.replaceChildren();
    element.removeAttribute("data-kind");
    element.removeAttribute("tabindex");
    legal = null;
  };

  return {
    element,
    /** @param {import("./deeds.js").Answer} answer */
    show({ deed, said: all, why }) {
      clear();
      // of a card that is held the tap says first that it lies there already
      const held = all.some((item) => item.kind === "announced");
      const said = all.filter((item) => !held || item.kind !== "ignored");
      const lines = said.map((item) => sentence(item.kind, item.text, item.rule));
      if (why) {
        lines.push(sentence("refused", why, null));
      } else if (lines.length === 0 && ["tap", "hold", "control", "press"].includes(deed)) {
        lines.push(sentence("ignored", words.say("page nothing-said"), null));
      }
      if (lines.length === 0) {
        return;
      }
      const bad = Boolean(why) || said.some((item) => item.kind === "refused" || item.kind === "fault");
      if (bad && !why) {
        legal = make("p", { class: "said said-legal" });
        lines.push(legal);
      }
      set(element, "data-kind", bad ? "refused" : (said[0]?.kind ?? "ignored"));
      element.replaceChildren(...lines);
      reachable(element);
      if (!bad) {
        timer = setTimeout(clear, STAYS_MS);
      }
    },
    /** What would be legal follows the table. */
    draw(hand) {
      if (legal !== null) {
        const text = words.say("page answer-legal", { hint: hand.hint ?? "" });
        if (say(legal, text)) {
          reachable(element);
        }
      }
    },
  };
};
