"""A kernel as a process, which runs one test on the files of this computer and is gone again. Started as its first
program, this module has pytest run the test there."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FINDS = ROOT / "scripts" / "setup-kernel"
INSIDE = "TAPTABLE_IN_KERNEL"
"""Set in the environment there."""
OUTSIDE = Path("/mnt")
"""The folder there through which the results come out."""
REPORTS = "reports.jsonl"
LONGEST_S = 300
MEMORY = "700M"
_POWER_OFF = 0x4321FEDC
_MOUNTS = (
    ("proc", "/proc", ""),
    ("sysfs", "/sys", ""),
    ("configfs", "/sys/kernel/config", ""),
    ("devpts", "/dev/pts", ""),
    ("tmpfs", "/run", "mode=755"),
)


@functools.cache
def find_kernel() -> Path | None:
    """The folder that scripts/setup-kernel finds; None where there is none."""
    found = subprocess.run([FINDS, "--find"], capture_output=True, text=True, check=False).stdout.strip()
    return Path(found) if found else None


def run_there(kernel: Path, test: str, *parameters: str) -> tuple[list[dict[str, Any]], str]:
    """Run the test of this name in a kernel with these parameters; return pytest's reports of it, as data, and the
    output of kernel and test."""
    with tempfile.TemporaryDirectory(prefix="taptable-kernel-") as folder:
        paths = (ROOT / "tests", ROOT / "hardware", ROOT, kernel / "packages")
        command = [
            kernel / "linux",
            *(f"mem={MEMORY}", f"dtb={kernel / 'pi.dtb'}", "dummy_hcd.num=2", "quiet", "panic=-1"),
            *("rootfstype=hostfs", "rootflags=/", "ro", "con=null", "con0=null,fd:1"),
            *parameters,
            *(f"init={sys.executable}", f"PYTHONPATH={':'.join(map(str, paths))}", f"PATH={os.environ['PATH']}"),
            *(f"{INSIDE}=1", "HOME=/run", "LANG=C.UTF-8"),
            *("--", Path(__file__), folder, test),
        ]
        process = subprocess.Popen(
            [*map(str, command)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": "/dev/shm"},  # where the memory there is a file
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # each process there is one here, too
        )
        try:
            said, _ = process.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            said += f"\nThe kernel was ended after {LONGEST_S} s."
        reports = Path(folder, REPORTS)
        lines = reports.read_text(encoding="utf-8").splitlines() if reports.exists() else []
        return [json.loads(line) for line in lines], said


class Reporter:
    """Writes down pytest's reports there."""

    def pytest_configure(self, config: Any) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: Any) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        with (OUTSIDE / REPORTS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")


def _first_program(folder: str, test: str) -> None:
    """Write the program that the kernel starts, which runs the test and nothing else."""
    libc = ctypes.CDLL(None, use_errno=True)
    for kind, place, options in (*_MOUNTS, ("hostfs", str(OUTSIDE), folder)):
        Path(place).mkdir(exist_ok=True)
        if libc.mount(b"none", place.encode(), kind.encode(), 0, options.encode()):
            print(f"{kind} can't be mounted at {place}: {os.strerror(ctypes.get_errno())}", flush=True)
    if os.fork() == 0:
        status = 1
        try:
            os.environ["TMPDIR"] = "/run"
            os.chdir("/run")  # lgpio wants a folder to write to
            import pytest

            # without what only other tests want, which takes long to load
            options = ["-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}", f"--confcutdir={HERE}"]
            status = pytest.main([*options, test], plugins=[Reporter()])
        finally:
            sys.stdout.flush()
            os._exit(int(status))
    os.wait()
    os.sync()
    libc.reboot(_POWER_OFF)


if __name__ == "__main__":
    _first_program(*sys.argv[1:3])  # the kernel adds some of its own parameters
