"""Webhooks are read only after their signature was checked."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from standardwebhooks import Webhook

from parley_client import WebhookRefused, verify_webhook

SECRET = "whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCBvZiAzMiBieXRlcyE="
BODY = b'{"type":"answer.submitted"}'


def signed(body: bytes = BODY, age: timedelta = timedelta()) -> dict[str, str]:
    at = datetime.now(timezone.utc) - age
    return {
        "Webhook-Id": "message1",
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": Webhook(SECRET).sign("message1", at, body.decode()),
    }


def test_a_signed_event_is_returned() -> None:
    assert verify_webhook(BODY, signed(), SECRET) == {"type": "answer.submitted"}


def test_after_a_rotation_one_of_two_signatures_is_enough() -> None:
    headers = signed()
    headers["Webhook-Signature"] = f"v1,b2xk {headers['Webhook-Signature']}"
    assert verify_webhook(BODY, headers, SECRET)["type"] == "answer.submitted"


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'{"type":"forged"}', signed()),
        (BODY, signed(age=timedelta(minutes=6))),
        (BODY, signed(age=timedelta(minutes=-6))),
        (BODY, {}),
        (BODY, {**signed(), "Webhook-Signature": "v1,"}),
        (BODY, {**signed(), "Webhook-Timestamp": "soon"}),
        (b"[]", signed(b"[]")),
        (b"no JSON", signed(b"no JSON")),
    ],
    ids=["changed", "old", "early", "unsigned", "empty", "undated", "list", "text"],
)
def test_anything_else_is_refused(body: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(WebhookRefused):
        verify_webhook(body, headers, SECRET)
