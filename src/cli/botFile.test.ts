/** What commands that need no service take for the bot in a file. */
import { expect, test } from "vitest"
import { maxLengths } from "../engine/schema/bounds.ts"
import { storedFlow } from "./botFile.ts"

test("1.6 a bot is read as an import stores it, with texts cut that are too long", () => {
  const name = "N".repeat(maxLengths.name + 1)
  const content = { richText: [{ type: "p", children: [{ text: `{{${name}}}` }] }] }
  const flow = storedFlow({
    version: "6.1",
    events: [{ id: "start", type: "start" }],
    groups: [{ id: "g", blocks: [{ id: "b", type: "text", content }] }],
    variables: [{ id: "v", name }],
  })
  const short = flow?.variables[0]?.name ?? ""
  expect(short).toHaveLength(maxLengths.name)
  expect(JSON.stringify(flow?.groups)).toContain(`{{${short}}}`)
})
