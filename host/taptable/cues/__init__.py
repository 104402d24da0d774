"""Cues: lights and sounds (`cueing`), speech, and the display.

The display has four parts. The presenter decides when to show something, and has it done in a thread. The screens say
what is shown: `scene` chooses one of `screens` and `prompts`, with the parts of `scores` and `counts`. They are drawn
with `canvas` and `text`. The device, `oled` with its `patches`, sends what has changed; only the presenter knows it."""
