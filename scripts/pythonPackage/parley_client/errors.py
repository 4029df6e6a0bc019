"""What a refused request raises."""

from __future__ import annotations

from typing import Any

import httpx


class ParleyError(Exception):
    """A request that the service, or a proxy before it, refused."""

    def __init__(self, response: httpx.Response) -> None:
        try:
            problem = response.json()
        except ValueError:
            problem = None
        #: The body of the answer; empty when it is no problem of the service.
        self.problem: dict[str, Any] = problem if isinstance(problem, dict) else {}
        #: HTTP status.
        self.status: int = response.status_code
        #: Why exactly, such as `BOT_NOT_PUBLISHED`; new reasons may appear.
        self.reason: str | None = self.problem.get("reason")
        #: What a program can act on, by reason.
        self.data: Any = self.problem.get("data")
        super().__init__(self.problem.get("message") or f"The answer has status {self.status}")
