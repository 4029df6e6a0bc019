/** New ids for copies of flows. */
import { expect, test } from "vitest"
import { ask, block, bot, group } from "../../test/support/bots.ts"
import { flowSchema } from "../engine/bot.ts"
import { newIdsOf, withNewIds } from "./withNewIds.ts"

const flow = flowSchema.parse(
  bot(
    group(
      "First",
      ask.text({ saves: "Name" }),
      block("Jump", { groupId: "gFirst", blockId: "b1" }),
      block("Typebot link", { typebotId: "original", groupId: "gFirst" }),
      block("openai", { credentialsId: "gFirst" }),
    ),
  ),
)

const idsOf = (text: string) => [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id)

test("every part gets a new id, and references follow", () => {
  let count = 0
  const ids = new Map([...newIdsOf(flow, () => `new${++count}`), ["original", "copy"]])
  const copy = withNewIds(flow, ids)
  const [before, after] = [flow, copy].map((each) => idsOf(JSON.stringify(each)))
  expect(after?.every((id) => id?.startsWith("new"))).toBe(true)
  expect(new Set(after).size).toBe(new Set(before).size)
  const [first] = copy.groups
  expect(first?.blocks[1]).toMatchObject({
    options: { groupId: first?.id, blockId: first?.blocks[0]?.id },
  })
  expect(first?.blocks[2]).toMatchObject({ options: { typebotId: "copy" } })
  expect(copy.edges[0]?.to.groupId).toBe(first?.id)
})

test("credentials and texts keep texts that look like ids", () => {
  const copy = withNewIds(
    { content: "g1", credentialsId: "g1", groupId: "g1" },
    new Map([["g1", "n"]]),
  )
  expect(copy).toEqual({ content: "g1", credentialsId: "g1", groupId: "n" })
})
