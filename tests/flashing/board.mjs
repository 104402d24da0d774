// A board's MicroPython with its prompt on stdin and stdout and a file system of its own: node board.mjs FOLDER, where
// FOLDER has micropython.mjs. Stand-ins replace the modules of a Pico (machine, rp2). It ends with status 3 when the
// board is to restart, and then writes its files, as JSON in base64, to the file descriptor 3.

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
let unsaid = 0;
const say = (bytes) => {
  const skipped = Math.min(unsaid, bytes.length);
  unsaid -= skipped;
  if (bytes.length > skipped) fs.writeSync(1, bytes, skipped);
};

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

const vm = await loadMicroPython({ zonesize: 256 * 1024, stdout: say, linebuffer: false });
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

// This build can't take a paste, since its reader of characters knows no stdin; a Pico can. So its part of it is here:
// what is pasted is handed on as if it had been typed at the raw prompt.
const PASTE = [5, 65, 1];
const END = 4;
const WINDOW = 128;
let asked = 0;
let pasted = null;

const paste = (byte) => {
  if (byte !== END) {
    vm.replProcessChar(byte);
    pasted += 1;
    if (pasted % WINDOW === 0) say(Buffer.from([1]));
    return;
  }
  pasted = null;
  say(Buffer.from([END]));
  unsaid = 2; // the OK of what is typed
  vm.replProcessChar(END);
};

vm.replInit();
for (let byte = next(); byte !== null; byte = next()) {
  asked = byte === PASTE[asked] ? asked + 1 : 0;
  if (pasted !== null) paste(byte);
  else if (asked === PASTE.length) {
    pasted = 0;
    say(Buffer.from([82, 1, WINDOW, 0, 1]));
  } else if (asked === 0 && vm.replProcessChar(byte)) {
    say(Buffer.from("MPY: soft reboot\r\n"));
    vm.replInit();
  }
}
