"""Walks through a chat and a bot with the client of openapi-python-client."""
import json
import sys

from parley import AuthenticatedClient
from parley.api.bots import get_bot, update_bot
from parley.api.chat import continue_chat, start_chat
from parley.api.results import list_results
from parley.models import ContinueChatBody, StartChatBody, UpdateBotBody

address, public_id, bot_id, token = sys.argv[1:5]
client = AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)
markdown = {"textBubbleContentFormat": "markdown"}

started = start_chat.sync(public_id, client=client, body=StartChatBody.from_dict(markdown))
labels = [item.content for item in started.input_.items]
message = {"type": "text", "text": labels[1]}
continued = continue_chat.sync(
    started.session_id,
    client=client,
    body=ContinueChatBody.from_dict({"message": message, **markdown}),
)
listed = list_results.sync(bot_id, client=client)
answers = [answer.content for answer in listed.results[0].answers]
read = get_bot.sync(bot_id, client=client)
changes = UpdateBotBody.from_dict({"bot": read.bot.to_dict()})
updated = update_bot.sync(bot_id, client=client, body=changes)

said = continued.messages[0].content.markdown
print(json.dumps({"labels": labels, "text": said, "answers": answers, "name": updated.bot.name}))
