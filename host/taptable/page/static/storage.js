// What a browser keeps for the next visit, and files that it saves. It may forbid to keep anything: then what was
// chosen lasts as long as the page.

const RELOAD_NOTE = "taptable-for-reload";

const nullIfForbidden = (access) => {
  try {
    return access();
  } catch {
    return null;
  }
};

/** What was kept under a name; null if nothing was. What `sessionStorage` keeps is kept for this tab alone. */
export const readStored = (name, area = "localStorage") => nullIfForbidden(() => window[area].getItem(name));
export const writeStored = (name, text, area = "localStorage") => nullIfForbidden(() => window[area].setItem(name, text));

/** Keep a sentence for the page to say once it has loaded itself again; "" for none. */
export const storeReloadNote = (sentence) => writeStored(RELOAD_NOTE, sentence, "sessionStorage");

/** The sentence that was kept so, once; "" for none. */
export const takeReloadNote = () => {
  const sentence = readStored(RELOAD_NOTE, "sessionStorage") ?? "";
  storeReloadNote("");
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
