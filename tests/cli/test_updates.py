"""`taptable updates`: where it looks, how long it waits, and what it makes of what it finds there."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from taptable.cli import updates as command
from taptable.core.game_options import GameOptions
from taptable.memory import update_check
from taptable.sim.setting_up import set_up

from cli.commands import Terminal

ANNOUNCED = {"version": "99.0.1", "date": "2027-01-15", "sentence": "Good news.", "address": "https://example.org/99"}
Answer = Callable[[BaseHTTPRequestHandler], None]


def says(body: bytes) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(body)

    return answer


def leads_to(place: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", place)
        request.end_headers()

    return answer


def refuses(request: BaseHTTPRequestHandler) -> None:
    request.send_error(404)


class Site:
    """A server with a certificate that this process believes; `answer` is what it does."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.address = f"https://localhost:{server.server_port}/taptable.json"
        self.answer: Answer = says(json.dumps(ANNOUNCED).encode())
        self.asked: list[str] = []


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
    subprocess.run([*made.split(), *names], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            served.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass  # who asked has heard enough

    server = Quiet(("localhost", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    served = Site(server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield served
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the last look."""
    for module in (update_check, command):
        monkeypatch.setattr(module, "UPDATE_FILE", tmp_path / "update.json")
    return tmp_path / "update.json"


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def a_table(folder: Path, source: str | None) -> Path:
    """The configuration of a table that looks there."""
    (folder / "table").mkdir(exist_ok=True)
    set_up(folder / "table", "online", GameOptions(2, "de", {}, None), "de")
    file = folder / "table" / "table.toml"
    if source is not None:
        file.write_text(f'{file.read_text()}\n[updates]\nfrom = "{source}"\n')
    return file


def test_without_a_word_in_the_configuration_nothing_is_fetched(tmp_path: Path, kept: Path, terminal: Terminal) -> None:
    kept.write_text("{}")
    ran = terminal.run("updates", "--keep", "--config", a_table(tmp_path, None))
    assert (ran.status, ran.out) == (0, "The configuration has no [updates]: nothing is checked.\n")
    assert not kept.exists()


def test_a_newer_version_is_reported_and_stored_on_request(
    tmp_path: Path, site: Site, kept: Path, terminal: Terminal
) -> None:
    config = a_table(tmp_path, site.address)
    ran = terminal.run("updates", "--config", config)
    assert (ran.status, ran.out) == (0, "99.0.1 is out since 2027-01-15: Good news. https://example.org/99\n")
    assert not kept.exists()
    assert terminal.run("updates", "--config", config, "--keep").status == 0
    newer = update_check.newer_version()
    assert newer is not None
    assert newer.version == "99.0.1"
    assert site.asked == ["/taptable.json"] * 2


def test_a_file_beside_the_configuration_does_as_well(tmp_path: Path, terminal: Terminal) -> None:
    config = a_table(tmp_path, "latest.json")
    (config.parent / "latest.json").write_text(json.dumps({**ANNOUNCED, "version": "0.0.1"}))
    assert terminal.run("updates", "--config", config).lines == [
        f"No newer version than {update_check.__version__} is out."
    ]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says(b"<html>"), "it is no JSON"),
        (says(b" " * 1_000_000), "it has more than 16384 bytes"),
        (leads_to("http://localhost:1/x"), "it leads to http://localhost:1/x, which isn't https"),
        (refuses, "Not Found"),
    ],
)
def test_what_cannot_be_used_is_a_sentence_and_kept_as_one(
    tmp_path: Path, site: Site, terminal: Terminal, answer: Answer, why: str
) -> None:
    site.answer = answer
    ran = terminal.run("updates", "--keep", "--config", a_table(tmp_path, site.address))
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert f"The announcement at {site.address} can't be used: {why}." in ran.err
    look = update_check.last_check()
    assert look is not None
    assert (look.announced, why in look.trouble) == (None, True)


def test_nobody_else_may_say_what_is_out(
    tmp_path: Path, site: Site, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent")
    ran = terminal.run("updates", "--config", a_table(tmp_path, site.address))
    assert (ran.status, site.asked) == (1, [])
    assert "CERTIFICATE_VERIFY_FAILED" in ran.err


def test_a_seat_without_anybody_is_reported(tmp_path: Path, terminal: Terminal) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        ran = terminal.run("updates", "--config", a_table(tmp_path, f"https://127.0.0.1:{held.getsockname()[1]}/"))
    assert (ran.status, "can't be used: [Errno 111] Connection refused" in ran.err) == (1, True)
    ran = terminal.run("updates", "--config", a_table(tmp_path, "/nonexistent.json"))
    assert "The announcement at /nonexistent.json can't be used: No such file or directory." in ran.err


@pytest.mark.parametrize("has_headers", [True, False])
def test_who_says_a_byte_now_and_then_is_not_heard_to_the_end(site: Site, has_headers: bool) -> None:
    enough = threading.Event()

    def drips(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        if has_headers:
            request.end_headers()
        else:
            request.flush_headers()
            request.wfile.write(b"X-Long: ")
        while not enough.wait(0.02):
            request.wfile.write(b" ")

    site.answer = drips
    assert "can't be used: it isn't there in 0.2 s." in command.check_for_update(site.address, patience_s=0.2).trouble
    enough.set()


@pytest.mark.parametrize("source", ["http://example.org/x", "ftp://example.org", "", "https://"])
def test_only_https_or_a_file_is_taken(tmp_path: Path, terminal: Terminal, source: str) -> None:
    ran = terminal.run("updates", "--config", a_table(tmp_path, source))
    assert (ran.status, 'begins with "https://", or the path of a file' in ran.err) == (2, True)
