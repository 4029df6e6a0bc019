"""Webhooks that the service signs by Standard Webhooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError


class WebhookRefused(Exception):
    """A request that the service has not signed, or not within the last five minutes."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """Returns the event in a request, after its signature was checked.

    `body` holds the bytes as they arrived. Events may arrive twice: `headers["webhook-id"]` is the
    same then.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        Webhook(secret).verify(body, lower)
        event = json.loads(body)
    except (WebhookVerificationError, ValueError) as error:
        raise WebhookRefused(str(error)) from error
    if not isinstance(event, dict):
        raise WebhookRefused("The body is no event")
    return event
