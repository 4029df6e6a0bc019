"""Walks through a chat and a bot with the Python client of OpenAPI Generator."""
import json
import sys

import parley

address, public_id, bot_id, token = sys.argv[1:5]
configuration = parley.Configuration(host=address, access_token=token)

with parley.ApiClient(configuration) as client:
    chat = parley.ChatApi(client)
    markdown = {"textBubbleContentFormat": "markdown"}
    started = chat.start_chat(
        public_id, start_chat_request=parley.StartChatRequest.from_dict(markdown)
    )
    labels = [item.content for item in started.input.actual_instance.items]
    message = {"type": "text", "text": labels[1]}
    continued = chat.continue_chat(
        started.session_id,
        continue_chat_request=parley.ContinueChatRequest.from_dict({"message": message, **markdown}),
    )
    said = continued.messages[0].actual_instance.content.actual_instance.markdown
    listed = parley.ResultsApi(client).list_results(bot_id)
    answers = [answer.content for answer in listed.results[0].answers]
    bots = parley.BotsApi(client)
    read = bots.get_bot(bot_id)
    changes = parley.UpdateBotRequest.from_dict({"bot": read.bot.to_dict()})
    updated = bots.update_bot(bot_id, changes)

print(json.dumps({"labels": labels, "text": said, "answers": answers, "name": updated.bot.name}))
