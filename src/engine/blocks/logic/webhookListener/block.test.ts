/** Blocks that wait for an inbound call. */
import { expect, test } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { webhookListenerBlock } from "./block.ts"
import type { WebhookListenerBlock } from "./schema.ts"

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
const scene = testScene({ variables: { A: "old", B: undefined } })

const globalsFor = (text: string) => {
  const { next } = webhookListenerBlock.receive?.(block, text, scene) ?? {}
  return next?.call.scripts.map(({ globals }) => globals)[0]
}

test("the block waits for the client to hear of a call", () => {
  expect(webhookListenerBlock.run(block, scene)).toEqual({
    act: [{ type: "listenForWebhook" }],
    next: "waitForClient",
  })
})

test("a report has the mapping of the block evaluated", () => {
  const step = webhookListenerBlock.receive?.(block, '{"data":{"name":"Ann"}}', scene)
  expect(step?.next?.call.scripts.map(({ code }) => code)).toEqual([
    "return data.name",
    "return statusCode",
  ])
})

test("a report is an envelope, or else the data itself", () => {
  expect(globalsFor('{"data":{"name":"Ann"}}')).toEqual({ statusCode: 200, data: { name: "Ann" } })
  expect(globalsFor('{"statusCode":201,"data":[1]}')).toEqual({ statusCode: 201, data: [1] })
  expect(globalsFor("plain words")).toEqual({ statusCode: 200, data: "plain words" })
  expect(globalsFor("[1]")).toEqual({ statusCode: 200, data: [1] })
})

test("what was found is stored, what failed is left alone", () => {
  const results = [{ failed: true as const, description: "no name" }, { value: 200 }]
  expect(webhookListenerBlock.resume.script(block, { results }, scene)).toEqual({
    set: [{ variableId: "vB", value: 200 }],
  })
})

test("a block without a mapping takes any report", () => {
  const bare: WebhookListenerBlock = { id: "w", type: "webhook" }
  expect(webhookListenerBlock.receive?.(bare, "{}", scene)).toEqual({})
})
