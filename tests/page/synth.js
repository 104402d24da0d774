// In place of the browser's speech, which a browser without a window hasn't got: keeps what it is told to say, and lets a
// test say when a sentence is over. Handed to the page before its own scripts.
(() => {
  const listeners = new Set();
  const spoken = {
    voices: [{ lang: "de-DE" }, { lang: "en-GB" }, { lang: "fr-FR" }, { lang: "nl-NL" }],
    said: [],
    cancelled: 0,
    current: null,
    /** The sentence under way ends; with `error` it fails. */
    end: (error = null) => {
      const ended = spoken.current;
      spoken.current = null;
      ended?.dispatchEvent(Object.assign(new Event(error === null ? "end" : "error"), { error }));
    },
    changeVoices: (voices) => {
      spoken.voices = voices;
      listeners.forEach((listener) => listener());
    },
  };
  const synth = {
    getVoices: () => spoken.voices,
    speak: (utterance) => {
      if (utterance.text === "") {
        return;
      }
      spoken.said.push({ text: utterance.text, lang: utterance.lang, rate: utterance.rate });
      spoken.current = utterance;
    },
    cancel: () => {
      spoken.cancelled += 1;
      spoken.current = null;
    },
    addEventListener: (_, listener) => listeners.add(listener),
  };
  // a real voice can't be made, and a real sentence takes no other
  Object.defineProperty(SpeechSynthesisUtterance.prototype, "voice", { writable: true, value: null });
  Object.defineProperty(window, "speechSynthesis", { configurable: true, value: synth });
  window.spoken = spoken;
})();
