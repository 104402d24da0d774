// Decks in words: kinds, cards that are missing, names that a deck can have. It must not know the document.

const MOST_NAMED = 6;
const LONGEST = 40;

/** Numbers in their order, those without a gap as one run: `3, 9–12`. */
const runs = (numbers) => {
  const found = [];
  [...numbers]
    .sort((one, other) => one - other)
    .forEach((number) => {
      const last = found[found.length - 1];
      if (last !== undefined && number === last[1] + 1) {
        last[1] = number;
      } else {
        found.push([number, number]);
      }
    });
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
};

/** How many cards of these kinds are there, and of how many. */
export const countOf = (kinds) => ({
  have: kinds.reduce((sum, { need, missing }) => sum + need - missing.length, 0),
  need: kinds.reduce((sum, { need }) => sum + need, 0),
});

/** The cards that are missing of these kinds, as ids. */
export const missingOf = (kinds) => kinds.flatMap(({ kind, missing }) => missing.map((number) => `${kind}#${number}`));

/** The same in words, kind by kind: *E-mail 3, 9–12; Hacker 6*. */
export const missingWords = (kinds) => {
  const lacking = kinds.filter(({ missing }) => missing.length > 0);
  const said = lacking.slice(0, MOST_NAMED).map(({ name, missing }) => `${name} ${runs(missing)}`);
  return said.join("; ") + (lacking.length > MOST_NAMED ? " …" : "");
};

/** The name for a deck that comes next to what somebody typed: small letters, digits and hyphens. */
export const nameOf = (typed) =>
  typed
    .toLowerCase()
    .replace(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD")[0]}e`)
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/[^a-z0-9]+/g, (other) => (/^\p{M}+$/u.test(other) ? "" : "-"))
    .replace(/^-+/, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
