"""Requests that are carried out once, however often they are sent."""

from __future__ import annotations

import time
import uuid
from typing import Any

import httpx

from .errors import ParleyError

#: Seconds before further attempts.
PAUSES = (0.1, 0.2, 0.4, 0.8, 1.6)

#: Max seconds that a service can ask to wait for before an attempt.
MAX_PAUSE = 30.0


def post_once(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Posts under a random idempotency key, again after a lost answer or when the service is busy."""
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for pause in (*PAUSES, None):
        try:
            response = client.post(path, json=body, headers=headers)
        except httpx.TransportError:
            if pause is None:
                raise
            time.sleep(pause)
            continue
        if response.status_code == 200:
            answer: dict[str, Any] = response.json()
            return answer
        refused = ParleyError(response)
        if pause is None or not _is_busy(refused):
            raise refused
        time.sleep(max(pause, _wanted_pause(response)))
    raise AssertionError("the last attempt returns or raises")


def _is_busy(refused: ParleyError) -> bool:
    return refused.status in (429, 502, 503, 504) or refused.reason == "CHAT_BUSY"


def _wanted_pause(response: httpx.Response) -> float:
    seconds = response.headers.get("retry-after", "")
    return min(float(seconds), MAX_PAUSE) if seconds.isdigit() else 0.0
