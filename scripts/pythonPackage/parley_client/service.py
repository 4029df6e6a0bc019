"""The service, as one caller sees it."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self

from .chats import Chat
from .rest import AuthenticatedClient, Client


class Parley:
    """Calls a service: `Parley("https://bots.example.com", token="parley_pat_…")`.

    Chats need no token. Functions of `parley_client.rest.api` take `rest` as their client.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 30.0) -> None:
        limit = httpx.Timeout(timeout)
        #: The client of the generated functions, typed by the OpenAPI document.
        self.rest: AuthenticatedClient | Client = (
            Client(base_url=url, timeout=limit)
            if token is None
            else AuthenticatedClient(base_url=url, token=token, timeout=limit)
        )

    def chat(
        self,
        public_id: str,
        prefilled: Mapping[str, Any] | None = None,
        *,
        text_format: str = "markdown",
    ) -> Chat:
        """Opens a chat with a published bot; `prefilled` has values by variable name."""
        return Chat(self.rest.get_httpx_client(), public_id, prefilled, text_format)

    def close(self) -> None:
        """Closes the connections."""
        self.rest.get_httpx_client().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
