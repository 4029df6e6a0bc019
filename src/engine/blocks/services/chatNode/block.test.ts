/** ChatNode. */
import { expect, it } from "vitest"
import { type BlockOf, httpCallOf, testScene } from "../../../../../test/support/context.ts"
import { chatNodeBlock } from "./block.ts"

type ChatNodeBlock = BlockOf<typeof chatNodeBlock>

const block: ChatNodeBlock = {
  id: "b",
  type: "chat-node",
  options: {
    credentialsId: "c",
    action: "Send Message",
    botId: "bot",
    message: "Hi {{N}}",
    threadId: "{{T}}",
    responseMapping: [{ variableId: "vA" }, { item: "Thread ID", variableId: "vT" }],
  },
}

it("21.10 sends the message and leaves out an unset thread", () => {
  expect(
    httpCallOf(chatNodeBlock.run(block, testScene({ variables: { N: "Ann" } })))?.request,
  ).toEqual({
    method: "POST",
    url: "https://api.public.chatnode.ai/v1/bot",
    headers: [["Authorization", ["Bearer ", { secret: "apiKey" }]]],
    body: { text: '{"message":"Hi Ann"}', contentType: "application/json" },
  })
})

it("21.10 keeps message and thread, and logs a refusal", () => {
  const answer = { status: 200, text: '{"message":"Hello","chat_session_id":"t1"}' }
  expect(chatNodeBlock.resume.http(block, answer, testScene()).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vT", value: "t1" },
  ])
  const refused = chatNodeBlock.resume.http(block, { status: 402, text: "pay" }, testScene())
  expect(refused.log).toEqual([
    {
      status: "error",
      description: "The service refused with status 402",
      details: "pay",
      context: "While asking ChatNode",
    },
  ])
})
