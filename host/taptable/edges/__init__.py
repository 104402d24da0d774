"""The devices: observations come in here, cues go out; no rule of a game lives here."""
