// The browser's storage for the next visit, and saving of files. A browser may forbid storage; then choices last as
// long as the page.

const RELOAD_NOTE = "taptable-for-reload";

const nullIfForbidden = (access) => {
  try {
    return access();
  } catch {
    return null;
  }
};

/** Returns the text stored under a name, or null. `sessionStorage` is that of this tab alone. */
export const readStored = (name, area = "localStorage") => nullIfForbidden(() => window[area].getItem(name));
export const writeStored = (name, text, area = "localStorage") =>
  nullIfForbidden(() => window[area].setItem(name, text));

/** Stores a sentence that the page shows after reloading itself; "" for none. */
export const storeReloadNote = (sentence) => writeStored(RELOAD_NOTE, sentence, "sessionStorage");

/** Returns the stored sentence and removes it; "" without one. */
export const takeReloadNote = () => {
  const sentence = readStored(RELOAD_NOTE, "sessionStorage") ?? "";
  storeReloadNote("");
  return sentence;
};

/** Lets the browser save a blob as a file of this name. */
export const saveFile = (name, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser starts the download after this task
};
