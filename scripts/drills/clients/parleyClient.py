"""Walks with parley-client, the package for Python."""

import json
import sys

from parley_client import Parley, ParleyError
from parley_client.rest.api.bots import get_bot, update_bot
from parley_client.rest.models import BotChanges, EmailInput, GetBotResponse200, UpdateBotBody

address, token, public_id, bot_id = sys.argv[1:]
with Parley(address, token) as parley:
    chat = parley.chat(public_id)
    started = chat.start()
    step = chat.send("Ann@Example.com")

    read = get_bot.sync(bot_id, client=parley.rest)
    assert isinstance(read, GetBotResponse200), read
    bot = read.bot
    same = BotChanges(
        groups=bot.groups,
        edges=bot.edges,
        variables=bot.variables,
        events=bot.events,
        theme=bot.theme,
        settings=bot.settings,
    )
    update_bot.sync_detailed(bot_id, client=parley.rest, body=UpdateBotBody(bot=same))

    try:
        parley.chat("no-such-bot").start()
        code = None
    except ParleyError as refused:
        code = refused.problem["code"]
    assert isinstance(started.input_, EmailInput)
    found = {"asked": started.input_.type_, "saved": step.last_message_new_format, "code": code}
    print(json.dumps(found))
