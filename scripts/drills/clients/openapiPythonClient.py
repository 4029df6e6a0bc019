"""Walks with the client that openapi-python-client makes."""

import json
import sys

from parley_client import AuthenticatedClient
from parley_client.api.bots import get_bot, update_bot
from parley_client.api.chat import continue_chat, start_chat
from parley_client.models import (
    BotChanges,
    ContinueChatBody,
    StartChatBody,
    TextFormat,
    TextMessage,
    UpdateBotBody,
)

address, token, public_id, bot_id = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=token)

begin = StartChatBody(text_bubble_content_format=TextFormat.MARKDOWN)
started = start_chat.sync(public_id, client=client, body=begin)
reply = ContinueChatBody(message=TextMessage(type_="text", text="Ann@Example.com"))
step = continue_chat.sync(started.session_id, client=client, body=reply)

kept = get_bot.sync(bot_id, client=client).bot
members = ("groups", "edges", "variables", "events", "theme", "settings")
same = BotChanges(**{name: getattr(kept, name) for name in members})
update_bot.sync_detailed(bot_id, client=client, body=UpdateBotBody(bot=same))

refused = continue_chat.sync("nobody0", client=client, body=ContinueChatBody())
found = {"asked": started.input_.type_, "saved": step.last_message_new_format, "code": refused.code}
print(json.dumps(found))
