// A board's MicroPython with its prompt on stdin and stdout and a file system of its own: node board.mjs FOLDER, where
// FOLDER has micropython.mjs. What is below it (machine, rp2) stands in for a Pico's. It ends with status 3 when the
// board is to start anew, and then writes its files, as JSON in base64, to the file descriptor 3.

import fs from "node:fs";
import path from "node:path";

const [folder, port, version, id, kept] = process.argv.slice(2);
const { loadMicroPython } = await import(path.join(folder, "micropython.mjs"));

const one = Buffer.alloc(1);
const next = () => {
  for (;;) {
    try {
      return fs.readSync(0, one, 0, 1, null) === 1 ? one[0] : null;
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
const say = (bytes) => fs.writeSync(1, bytes);

// Errors have the numbers of a board, not of this machine; and sys can say that it is an older one.
const BELOW = `
import sys, os
sys.path.insert(0, "/below")
class _Sys:
    implementation, platform, modules, path = sys.implementation, sys.platform, sys.modules, sys.path
class _Os:
    pass
def _as_on_a_board(function):
    def called(*arguments):
        try:
            return function(*arguments)
        except OSError as error:
            raise OSError({44: 2, 20: 17, 31: 21, 54: 20, 55: 39}.get(error.errno, error.errno))
    return called
for _name in dir(os):
    if not _name.startswith("__"):
        setattr(_Os, _name, _as_on_a_board(getattr(os, _name)) if callable(getattr(os, _name)) else getattr(os, _name))
sys.modules["os"] = _Os
sys.modules["sys"] = _Sys
`;

const vm = await loadMicroPython({ heapsize: 256 * 1024, stdout: say, linebuffer: false });
// aside from what lies on the board
vm.FS.mkdir("/below");
vm.FS.writeFile("/below/machine.py", `import js\ndef unique_id():\n return bytes.fromhex("${id}")\ndef reset():\n js.startAnew()\n`);
if (port === "rp2") vm.FS.writeFile("/below/rp2.py", "");
vm.runPython(BELOW);
if (version !== "") vm.runPython(`_Sys.implementation = ("micropython", (${version}))`);

const inFolders = (where) =>
  vm.FS.readdir(where).flatMap((name) => {
    const full = `${where === "/" ? "" : where}/${name}`;
    if ([".", "..", "dev", "proc", "tmp", "home", "below"].includes(name)) return [];
    return vm.FS.isDir(vm.FS.stat(full).mode) ? inFolders(full) : [full];
  });
for (const [file, data] of Object.entries(JSON.parse(fs.readFileSync(kept, "utf8")))) {
  path.posix.dirname(file).split("/").slice(1).reduce((above, name) => {
    const here = `${above}/${name}`;
    if (name !== "" && !vm.FS.analyzePath(here).exists) vm.FS.mkdir(here);
    return here;
  }, "");
  vm.FS.writeFile(file, Buffer.from(data, "base64"));
}
globalThis.startAnew = () => {
  const files = inFolders("/").map((file) => [file, Buffer.from(vm.FS.readFile(file)).toString("base64")]);
  fs.writeFileSync(kept, JSON.stringify(Object.fromEntries(files)));
  process.exit(3);
};

// This build can't paste: its reader of characters knows no stdin. A board without it says so.
const PASTE = [5, 65, 1];
vm.replInit();
let asked = 0;
for (let byte = next(); byte !== null; byte = next()) {
  asked = byte === PASTE[asked] ? asked + 1 : 0;
  if (asked === PASTE.length) {
    asked = 0;
    say(Buffer.from("R\0"));
  } else if (asked === 0 && vm.replProcessChar(byte)) {
    say(Buffer.from("MPY: soft reboot\r\n"));
    vm.replInit();
  }
}
