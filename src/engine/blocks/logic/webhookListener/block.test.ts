/** Blocks that wait for an inbound call. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { webhookListenerBlock } from "./block.ts"

type WebhookListenerBlock = BlockOf<typeof webhookListenerBlock>

const block: WebhookListenerBlock = {
  id: "w",
  type: "webhook",
  options: {
    responseVariableMapping: [
      { id: "1", variableId: "vA", bodyPath: "data.name" },
      { id: "2", variableId: "unknown", bodyPath: "data.age" },
      { id: "3", variableId: "vB", bodyPath: "statusCode" },
    ],
  },
}
const context = testScene({ variables: { A: "old", B: undefined } })
const { resume } = webhookListenerBlock
const listening = { act: [{ type: "listenForWebhook" }], next: "waitForClient" }

test("19.10 the block waits for the client's notice of a call", () => {
  expect(webhookListenerBlock.run(block, context)).toEqual(listening)
})

test("19.10 it keeps waiting without a call, and when the check fails", () => {
  const stillListening = { ...listening, next: "waitOn" }
  expect(resume.inboundCall(block, {}, context)).toEqual(stillListening)
  const failure = { failed: true as const, description: "no" }
  expect(resume.inboundCall(block, failure, context)).toEqual(stillListening)
})

test("19.10 a call has the mapping of the block evaluated", () => {
  const globals = { statusCode: 200, data: { name: "Ann" } }
  expect(resume.inboundCall(block, { body: '{"name":"Ann"}' }, context)).toEqual({
    next: {
      call: {
        kind: "script",
        scripts: [
          { code: "return data.name", globals, mode: "expression" },
          { code: "return statusCode", globals, mode: "expression" },
        ],
      },
    },
  })
})

test("19.10 found values are stored, failed ones change nothing", () => {
  const results = [{ failed: true as const, description: "no name" }, { value: 200 }]
  expect(resume.script(block, { results }, context)).toEqual({
    set: [{ variableId: "vB", value: 200 }],
  })
})

test("19.10 a block without a mapping takes any call", () => {
  const bare: WebhookListenerBlock = { id: "w", type: "webhook" }
  expect(resume.inboundCall(bare, { body: "{}" }, context)).toEqual({})
})
