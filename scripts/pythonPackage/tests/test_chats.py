"""Chats are typed, carried out once, and say why they are refused."""

from __future__ import annotations

import os
import uuid

import pytest
from fake_service import Answer, fake_service

from parley_client import Parley, ParleyError
from parley_client.rest.models import EmailInput

STARTED = {
    "sessionId": "session1",
    "resultId": "result1",
    "bot": {"id": "bot1", "version": "6.1", "theme": {}, "settings": {}},
    "messages": [],
    "input": {"id": "ask", "type": "email input"},
}
STEP = {"messages": [], "lastMessageNewFormat": "ann@example.com"}


def test_a_chat_starts_and_goes_on() -> None:
    with fake_service(Answer(200, STARTED), Answer(200, STEP)) as fake, Parley(fake.url) as parley:
        chat = parley.chat("signup", {"Name": "Ann"})
        started = chat.start()
        assert isinstance(started.input_, EmailInput)
        assert chat.send("Ann@Example.com").last_message_new_format == "ann@example.com"
    (start, _, begun), (going_on, _, sent) = fake.asked
    assert start == "/api/v1/bots/signup/startChat"
    assert begun == {"textBubbleContentFormat": "markdown", "prefilledVariables": {"Name": "Ann"}}
    assert going_on == "/api/v1/sessions/session1/continueChat"
    assert sent == {"textBubbleContentFormat": "markdown", "message": "Ann@Example.com"}


def test_an_id_cannot_leave_its_place_in_the_path() -> None:
    with fake_service(Answer(200, STARTED)) as fake, Parley(fake.url) as parley:
        parley.chat("../sessions/a?b").start()
    assert fake.asked[0][0] == "/api/v1/bots/..%2Fsessions%2Fa%3Fb/startChat"


@pytest.mark.parametrize(
    "first",
    [
        Answer(None),
        Answer(502, "<html>Bad gateway</html>"),
        Answer(503, {"reason": "SHUTTING_DOWN"}, {"retry-after": "0"}),
        Answer(409, {"reason": "CHAT_BUSY"}),
    ],
    ids=["lost", "proxy", "restart", "busy"],
)
def test_a_request_without_an_answer_is_repeated_under_its_key(first: Answer) -> None:
    with fake_service(first, Answer(200, STARTED)) as fake, Parley(fake.url) as parley:
        assert parley.chat("signup").start().session_id == "session1"
    keys = [headers["idempotency-key"] for _, headers, _ in fake.asked]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert str(uuid.UUID(keys[0])) == keys[0]


def test_a_refusal_says_why_and_is_not_repeated() -> None:
    problem = {"reason": "BOT_NOT_PUBLISHED", "message": "Publish it first", "data": {"a": 1}}
    with fake_service(Answer(404, problem)) as fake, Parley(fake.url) as parley:
        with pytest.raises(ParleyError, match="Publish it first") as refused:
            parley.chat("signup").start()
    error = refused.value
    assert (error.status, error.reason, error.data) == (404, "BOT_NOT_PUBLISHED", {"a": 1})
    assert len(fake.asked) == 1


def test_events_arrive_with_their_ids_and_go_on_after_one() -> None:
    stream = (
        "retry: 2000\n\n"
        'event: conversation.paused\nid: 7\ndata: {"type":"conversation.paused"}\n\n'
        "data: continue with this\n\n"
    )
    events = Answer(200, stream, {"content-type": "text/event-stream"})
    with fake_service(Answer(200, STARTED), events) as fake, Parley(fake.url) as parley:
        paused, text = list(parley.chat("signup").events(after="6"))
    assert (paused.type, paused.id, paused.data["type"]) == (
        "conversation.paused",
        "7",
        "conversation.paused",
    )
    assert (text.type, text.data) == ("", "continue with this")
    path, headers, _ = fake.asked[1]
    assert path == "/api/v1/sessions/session1/events"
    assert headers["last-event-id"] == "6"


def test_a_stream_that_is_refused_says_why() -> None:
    gone = Answer(404, {"reason": "SESSION_NOT_FOUND", "message": "Session not found"})
    with fake_service(Answer(200, STARTED), gone) as fake, Parley(fake.url) as parley:
        with pytest.raises(ParleyError, match="Session not found"):
            next(parley.chat("signup").events())


@pytest.mark.skipif("PARLEY_URL" not in os.environ, reason="PARLEY_URL names no service")
def test_a_running_service_chats() -> None:
    with Parley(os.environ["PARLEY_URL"], os.environ["PARLEY_TOKEN"]) as parley:
        chat = parley.chat(os.environ["PARLEY_PUBLIC_ID"])
        assert isinstance(chat.start().input_, EmailInput)
        assert chat.send("Ann@Example.com").last_message_new_format == "ann@example.com"
        with pytest.raises(ParleyError) as refused:
            parley.chat("no-such-bot").start()
        assert refused.value.status == 404
