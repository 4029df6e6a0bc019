"""Chats, streams and webhooks of a Parley service; `Parley.rest` calls every other operation."""

from .chats import Chat, ChatEvent
from .errors import ParleyError
from .service import Parley
from .version import __version__
from .webhooks import WebhookRefused, verify_webhook

__all__ = [
    "Chat",
    "ChatEvent",
    "Parley",
    "ParleyError",
    "WebhookRefused",
    "__version__",
    "verify_webhook",
]
