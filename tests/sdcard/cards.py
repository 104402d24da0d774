"""Boot partitions as Raspberry Pi OS and Imager leave them, and a package's bundle that only records how it was
called."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

USER_DATA = (
    "#cloud-config\nhostname: raspberrypi\nmanage_etc_hosts: true\ntimezone: Europe/Berlin\nusers:\n- name: pi\n"
)
NETWORK = "network:\n  version: 2\n  wifis:\n    wlan0:\n      dhcp4: true\n"
FIRST_RUN = (
    "#!/bin/bash\n"
    """
set +e

   /usr/lib/raspberrypi-sys-mods/imager_custom set_hostname raspberrypi
   /usr/lib/raspberrypi-sys-mods/imager_custom set_wlan 'home' '0123' 'DE'
   /usr/lib/raspberrypi-sys-mods/imager_custom set_timezone 'Europe/Berlin'
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
"""
)
BY_SYSTEMD = "systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot systemd.unit=kernel-command-line.target"
CONFIG = "# of the distribution\n#dtparam=spi=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n\n[all]\n"


def a_card(folder: Path, release: str = "trixie", *, configured: bool = True) -> Path:
    """The boot partition of a card that was in no Pi yet; `told` is whether Imager was asked to set something up."""
    folder.mkdir()
    grows = {"trixie": "resize", "bookworm": "init=/usr/lib/raspberrypi-sys-mods/firstboot"}[release]
    line = f"console=tty1 root=PARTUUID=ab12cd34-02 rootfstype=ext4 fsck.repair=yes rootwait {grows}"
    (folder / "config.txt").write_text(CONFIG)
    (folder / "kernel8.img").write_bytes(b"kernel")
    (folder / "issue.txt").write_text("Raspberry Pi reference 2025-11-24\nGenerated using pi-gen, stage2\n")
    if release == "trixie":
        (folder / "meta-data").write_text("instance_id: rpios-image\n")
        (folder / "user-data").write_text(USER_DATA if configured else "#cloud-config\n")
        (folder / "network-config").write_text(NETWORK if configured else "# nothing\n")
        line += " ds=nocloud;i=rpi-imager-1764000000000" if configured else ""
    elif configured:
        (folder / "firstrun.sh").write_text(FIRST_RUN)
        line += f" {BY_SYSTEMD}"
    (folder / "cmdline.txt").write_text(f"{line}\n")
    return folder


INSTALL = """\
echo "install $*"
cat "$2" >"$(dirname "$0")/../../answered"
"""


def a_bundle(folder: Path, release: str = "trixie", architecture: str = "arm64", install: str = INSTALL) -> Path:
    """A bundle as scripts/package makes it, with other contents."""
    name = f"taptable-0.2.0-{release}-{architecture}"
    path = folder / f"{name}.tar"
    with tarfile.open(path, "w") as tar:
        for member, text in ((f"{name}/install", install), (f"{name}/debs/Packages", "")):
            info = tarfile.TarInfo(member)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything on a card, by its name there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
