// What a browser keeps for the next visit, and files that it saves. It may forbid to keep anything: then what was
// chosen lasts as long as the page.

const FOR_RELOAD = "taptable-for-reload";

const orNull = (does) => {
  try {
    return does();
  } catch {
    return null;
  }
};

/** What was kept under a name; null if nothing was. What `sessionStorage` keeps is kept for this tab alone. */
export const kept = (name, where = "localStorage") => orNull(() => window[where].getItem(name));
export const keepAs = (name, text, where = "localStorage") => orNull(() => window[where].setItem(name, text));

/** Keep a sentence for the page to say once it has loaded itself again; "" for none. */
export const keepForReload = (sentence) => keepAs(FOR_RELOAD, sentence, "sessionStorage");

/** The sentence that was kept so, once; "" for none. */
export const takeFromBefore = () => {
  const sentence = kept(FOR_RELOAD, "sessionStorage") ?? "";
  keepForReload("");
  return sentence;
};

/** Let the browser save a blob in a file of this name. */
export const saveFile = (name, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser begins to save it after this turn
};
