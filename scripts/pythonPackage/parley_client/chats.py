"""A chat with a published bot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
from httpx_sse import connect_sse

from .errors import ParleyError
from .requests import post_once
from .rest.models import ChatStep, StartedChat


@dataclass(frozen=True)
class ChatEvent:
    """What happens to a chat outside of the turns of its visitor."""

    #: Such as `conversation.paused`; empty for the text with which a waiting chat goes on.
    type: str
    data: Any
    #: Continues a stream after it: `Chat.events(after=event.id)`.
    id: str


class Chat:
    """A chat, which `start` or the first `send` begins. One thread uses it at a time."""

    def __init__(
        self,
        client: httpx.Client,
        public_id: str,
        prefilled: Mapping[str, Any] | None = None,
        text_format: str = "markdown",
    ) -> None:
        self._client = client
        self._public_id = public_id
        self._prefilled = dict(prefilled or {})
        self._format = {"textBubbleContentFormat": text_format}
        #: What was answered to the start; None before.
        self.started: StartedChat | None = None

    @property
    def session_id(self) -> str:
        """Id of the chat, with which it can be continued elsewhere."""
        return self.start().session_id if self.started is None else self.started.session_id

    def start(self) -> StartedChat:
        """Begins, or begins anew."""
        path = f"/api/v1/bots/{quote(self._public_id, safe='')}/startChat"
        body = {**self._format, "prefilledVariables": self._prefilled}
        self.started = StartedChat.from_dict(post_once(self._client, path, body))
        return self.started

    def send(self, message: str | Mapping[str, Any] | None = None) -> ChatStep:
        """Answers the question; without a message the chat goes on, as after a client-side action."""
        path = f"/api/v1/sessions/{quote(self.session_id, safe='')}/continueChat"
        body = self._format if message is None else {**self._format, "message": message}
        return ChatStep.from_dict(post_once(self._client, path, dict(body)))

    def events(self, after: str | None = None) -> Iterator[ChatEvent]:
        """Waits for events until the stream ends; `after` is the id of the last one that was read."""
        path = f"/api/v1/sessions/{quote(self.session_id, safe='')}/events"
        headers = {} if after is None else {"last-event-id": after}
        # An event may take hours.
        waiting = httpx.Timeout(self._client.timeout.connect, read=None)
        with connect_sse(self._client, "GET", path, headers=headers, timeout=waiting) as stream:
            if stream.response.status_code != 200:
                stream.response.read()
                raise ParleyError(stream.response)
            for event in stream.iter_sse():
                # One that only sets how soon to reconnect.
                if not event.data:
                    continue
                named = event.event if event.event != "message" else ""
                data = event.json() if named else event.data
                yield ChatEvent(type=named, data=data, id=event.id)
