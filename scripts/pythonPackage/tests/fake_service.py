"""A service that answers as a test says, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """None as status: the connection breaks instead."""

    status: int | None
    body: Any = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Fake:
    url: str
    answers: list[Answer]
    #: Path, headers by lower-case name, body.
    asked: list[tuple[str, dict[str, str], Any]]


@contextmanager
def fake_service(*answers: Answer) -> Iterator[Fake]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            fake.asked.append((self.path, headers, json.loads(sent) if sent else None))
            answer = fake.answers.pop(0)
            if answer.status is None:
                self.connection.close()
                return
            body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        do_GET = do_POST = answer

        def log_message(self, format: str, *words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake = Fake(f"http://127.0.0.1:{server.server_address[1]}", list(answers), [])
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
