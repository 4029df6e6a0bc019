"""Walks with the client that openapi-generator makes for Python."""

import json
import sys

import openapi_client as parley
from openapi_client.rest import ApiException

address, token, public_id, bot_id = sys.argv[1:]
client = parley.ApiClient(parley.Configuration(host=address, access_token=token))
chat, bots = parley.ChatApi(client), parley.BotsApi(client)

begin = parley.StartChatRequest(textBubbleContentFormat="markdown")
started = chat.start_chat(public_id, start_chat_request=begin)
message = parley.Message(parley.TextMessage(type="text", text="Ann@Example.com"))
reply = parley.ContinueChatRequest(message=message)
step = chat.continue_chat(started.session_id, continue_chat_request=reply)

kept = bots.get_bot(bot_id).bot
members = ("groups", "edges", "variables", "events", "theme", "settings")
same = parley.BotChanges(**{name: getattr(kept, name) for name in members})
bots.update_bot(bot_id, parley.UpdateBotRequest(bot=same))

try:
    chat.continue_chat("nobody0")
    code = None
except ApiException as refused:
    code = json.loads(refused.body)["code"]
asked = started.input.actual_instance.type
print(json.dumps({"asked": asked, "saved": step.last_message_new_format, "code": code}))
