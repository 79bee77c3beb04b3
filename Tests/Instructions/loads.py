# SPDX-License-Identifier: MIT
"""The loads whose costs `instructions` counts, and the clients that make them."""
import json
import os
import resource
import signal
import socket
import time

PATIENCE = 120  # seconds for one read
PLACES = 4

# The tree at the beginning: a model with four models, an array of four, a model that is replaced, and room for copies.
TREE = {
    "shelf": {f"book{i}": {"pages": 0, "title": ""} for i in range(PLACES)},
    "list": [{"pages": -1} for _ in range(PLACES)],
    "player": {"title": "", "position": 0},
    "copy": {f"pages{i}": -1 for i in range(PLACES)},
}


def set_pages(i):
    """A number, another one each time, in each of the four books in turn."""
    return "set", {"path": f"a.shelf.book{i % PLACES}.pages", "value": i}


def set_element(i):
    return "set", {"path": f"a.list.{i % PLACES}.pages", "value": i}


def replace_model(i):
    """A new model above the observed path `a.player.title`; its title differs from the last."""
    return "set", {"path": "a.player", "value": {"title": f"title {i}", "position": i}}


def set_title(i):
    return "set", {"path": "a.player.title", "value": f"{{seq:{i:010},pad:xxx}}"}


def ten_sets(i):
    """Ten sets of numbers in one commit; counted as one request."""
    writes = [set_pages(10 * i + k) for k in range(10)]
    return "transaction", {"operations": [{"method": method, "params": params} for method, params in writes]}


def set_long_text(i):
    """A text of 1 KiB, which is too long for the tree's pool of texts, and differs from the last."""
    return "set", {"path": f"a.shelf.book{i % PLACES}.title", "value": f"{i:08}" * 128}


ALL_PAGES = [f"a.shelf.book{i}.pages" for i in range(PLACES)]


class Load:
    """N requests, which `make` makes by their number, in windows; what each of the readers observes; bindings."""

    def __init__(self, requests, make, observed=(), bindings=(), readers=1, window=256):
        self.requests = requests
        self.make = make
        self.observed = list(observed)
        self.bindings = bindings
        self.readers = readers if observed else 0
        self.window = window


LOADS = {
    "plain": Load(8192, set_pages),
    "one subscriber": Load(8192, set_pages, ALL_PAGES),
    "a.**": Load(8192, set_pages, ["a.**"]),
    "@sum": Load(8192, set_element, ["a.list.@sum.pages"]),
    "binding": Load(4096, set_pages, bindings=[(path, f"a.copy.pages{i}") for i, path in enumerate(ALL_PAGES)]),
    "re-bind": Load(4096, replace_model, ["a.player.title"]),
    "transaction": Load(512, ten_sets),
    "long set": Load(4096, set_long_text),
    "ten subscribers": Load(4096, set_title, ["a.player.title"], readers=10, window=64),
    "many subscribers": Load(256, set_title, ["a.player.title"], readers=1000, window=64),
}


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)

    def receive(self, count):
        """The next `count` lines."""
        text = b""
        while (missing := count - text.count(b"\n")) > 0:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise RuntimeError(f"the daemon closed the connection; {missing} lines were missing")
            text += piece
        if text.count(b"\n") > count:
            raise RuntimeError(f"{text.count(10)} lines instead of {count}: {text[-300:]}")
        return text

    def ask(self, method, **params):
        self.socket.sendall(request(0, method, params))
        answer = json.loads(self.receive(1))
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer}")
        return answer["result"]


def request(number, method, params):
    message = {"id": number, "method": method, "params": params}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def wait_until_idle(process):
    """Waits until the daemon has slept for 0.1 s: it has then done what it leaves for the first silence."""
    naps = 0
    while naps < 10:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            state = file.read().rpartition(") ")[2][0]
        if state == "Z":
            raise RuntimeError("the daemon ended before a client connected")
        naps = naps + 1 if state == "S" else 0
        time.sleep(0.01)


def stopped(process, window):
    """Does `window` while the daemon is stopped, so that it finds all of it at once."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    window()
    process.send_signal(signal.SIGCONT)
    os.waitid(os.P_PID, process.pid, os.WCONTINUED)


class Conversation:
    """The connections of a load. Feeds its requests in windows."""

    def __init__(self, load, path, process):
        self.load = load
        self.process = process
        self.next = 0
        wanted = load.readers + 100
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        self.writer = Client(path)
        self.writer.ask("set", path="a", value=TREE)
        for source, target in load.bindings:
            self.writer.ask("bind", source=source, target=target)
        self.readers = [Client(path) for _ in range(load.readers)]
        for reader in self.readers:
            reader.ask("subscribe", paths=load.observed, initial=False)

    def feed(self, count):
        """Sends `count` more requests, and receives all answers and events."""
        window = self.load.window
        for first in range(self.next, self.next + count, window):
            lines = b"".join(request(i, *self.load.make(i + 1)) for i in range(first, first + window))
            stopped(self.process, lambda: self.writer.socket.sendall(lines))
            answers = self.writer.receive(window)
            if answers.count(b'"changed":true') < window or b'"error"' in answers:
                raise RuntimeError(f"not every request changed something: {answers[:300]}")
            for reader in self.readers:
                reader.receive(window)
        self.next += count
