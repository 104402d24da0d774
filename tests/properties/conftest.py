"""How hypothesis works in here: where a failure is only counted, as with seeded bugs, it needn't be made simple."""

from __future__ import annotations

import os

from hypothesis import Phase, settings

settings.register_profile("found-is-enough", phases=(Phase.explicit, Phase.generate), database=None)
if os.environ.get("TAPTABLE_FOUND_IS_ENOUGH"):
    settings.load_profile("found-is-enough")
