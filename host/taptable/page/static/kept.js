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
