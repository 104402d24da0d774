"""From device events to verdicts: the filters, the gestures, the referee's step, the session of an evening that puts
them in order, the codec of the referee's lines, and the front end that reads lines. Pure."""
