// What the address of the overlay asks for: language, sides and size; and what is wrong with it, which is said on the
// overlay in place of being guessed at. It must not know how any of it is drawn.

/** The sizes that the overlay is made for, by their heights: widths and heights in pixels. */
export const SIZES = { 720: [1280, 720], 1080: [1920, 1080] };
const LONGEST = 40;

const choicesOf = (about) => ({
  lang: about.languages,
  side: ["usual", "swap"],
  at: ["top", "bottom"],
  size: ["fit", ...Object.keys(SIZES)],
});

/** A part of the address for a sentence, however long it is. */
const short = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/**
 * What the `query` of an address (`"?lang=de"`) asks for at the table `about`: `{language, swapped, at, size}`, `size` null
 * for that of the window; and `faults`, the sentences `{key, fields}` about what isn't understood, for which the usual
 * stands.
 */
export const readAddress = (query, about) => {
  const given = new URLSearchParams(query);
  const choices = choicesOf(about);
  const faults = [];
  const names = Object.keys(choices);
  [...new Set(given.keys())].filter((name) => !names.includes(name)).forEach((name) => {
    faults.push({ key: "page overlay-unknown", fields: { name: short(name), names: names.join(", ") } });
  });
  const chosen = (name, usual) => {
    const value = given.get(name);
    if (value === null || choices[name].includes(value)) {
      return value ?? usual;
    }
    const fields = { given: short(`${name}=${value}`), name, choices: choices[name].join(", ") };
    faults.push({ key: "page overlay-wrong", fields });
    return usual;
  };
  const size = chosen("size", "fit");
  return {
    language: chosen("lang", about.language),
    swapped: chosen("side", "usual") === "swap",
    at: chosen("at", "top"),
    size: size === "fit" ? null : size,
    faults,
  };
};
