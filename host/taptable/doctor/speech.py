"""The table's voice: whether its program speaks the table's language, and whether the loudspeaker can be opened, which
is tried with silence. Must not know what a table says."""

from __future__ import annotations

from collections.abc import Iterator

from taptable.cues.speech import PROGRAM, VOICES, command, error_in_output
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen
from taptable.doctor.site import ExaminedTable, access_problem

_SOUND = "/dev/snd"


def examine_speech(site: ExaminedTable) -> Iterator[Finding]:
    """Examine program and loudspeaker, if the table speaks."""
    if site.config.speech is None:
        yield skipped("voice", "speech", "the table doesn't speak")
        return
    voice = VOICES[site.config.table.language]
    voices = site.computer.read_output([PROGRAM, f"--voices={voice}"])
    if voices is None:
        todo = (
            "Install the package taptable-speech: it installs the program, and gives the table access to the sound"
            " cards."
        )
        yield fault("voice", "speech", f"there is no {PROGRAM}", todo)
        return
    if f" {voice} " not in voices:
        todo = f"Its data are incomplete: `sudo apt install --reinstall {PROGRAM}-data`."
        yield fault("voice", "speech", f"{PROGRAM} has no voice for {voice}", todo)
        return
    yield ok("voice", "speech", f"{PROGRAM} has a voice for {voice}")
    yield _loudspeaker(site)


def _loudspeaker(site: ExaminedTable) -> Finding:
    parts = site.config.speech
    assert parts is not None
    outputs = _outputs(site.computer)
    if not outputs:
        todo = (
            "Connect a loudspeaker (USB, headphone jack, or a screen's): `aplay -l` lists the system's sound outputs."
        )
        return fault("loudspeaker", "speech", f"there is no sound output in {_SOUND}", todo)
    if (refused := access_problem(site.computer, f"{_SOUND}/{outputs[0]}", "loudspeaker", "speech")) is not None:
        return refused
    if site.held_by is not None:
        return unseen("loudspeaker", "speech", f"in use by {site.held_by}", site.stop_advice)
    trouble = say(site, "")
    device = "the system's own output" if parts.device is None else parts.device
    if trouble is not None:
        todo = "Name another in [speech] device: `aplay -L` lists them. Check also whether another program uses it."
        return fault("loudspeaker", "speech", f"{device} can't be used: {trouble}", todo)
    return ok("loudspeaker", "speech", f"{device} can be used; only a person can hear whether it speaks")


def say(site: ExaminedTable, sentence: str) -> str | None:
    """Speak a sentence with the table's voice; return the reason if that fails. The table must have a voice."""
    parts = site.config.speech
    assert parts is not None
    ran = site.computer.run(command(site.config.table.language, parts), sentence)
    return "it doesn't end" if ran is None else error_in_output(ran.status, ran.stderr)


def _outputs(computer: Computer) -> list[str]:
    """Return the device files for playing, such as `pcmC0D0p`."""
    try:
        return sorted(name for name in computer.list_folder(computer.at(_SOUND)) if name.endswith("p"))
    except OSError:
        return []
