"""Cues: lights and sounds (`cueing`), speech, and the display.

The display has four parts. The presenter decides when to show something, and draws it in a thread. The screens
determine the content: `scene` selects one of `screens` and `prompts`, which use the parts in `scores` and `counts`.
They are drawn with `canvas` and `text`. The device, `oled` with its `patches` in `drivers.oled`, sends what has
changed; only the presenter knows it."""
