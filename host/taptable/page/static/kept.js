// What a browser keeps for the next visit. It may forbid that: then what was chosen lasts as long as the page.

/** What was kept under a name; null if nothing was. */
export const kept = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export const keepAs = (name, text) => {
  try {
    localStorage.setItem(name, text);
  } catch {
    // it is chosen again next time
  }
};

const FOR_RELOAD = "taptable-for-reload";

/** Keep a sentence for the page to say once it has loaded itself again; "" for none. */
export const keepForReload = (sentence) => {
  try {
    sessionStorage.setItem(FOR_RELOAD, sentence);
  } catch {
    // then it isn't said
  }
};

/** The sentence that was kept so, once; "" for none. */
export const takeFromBefore = () => {
  try {
    const sentence = sessionStorage.getItem(FOR_RELOAD) ?? "";
    sessionStorage.removeItem(FOR_RELOAD);
    return sentence;
  } catch {
    return "";
  }
};
