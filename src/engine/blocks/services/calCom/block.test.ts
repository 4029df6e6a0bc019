/** Cal.com bookings. */
import { expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { calComBlock } from "./block.ts"

const block: BlockOf<typeof calComBlock> = {
  id: "b",
  type: "cal-com",
  options: {
    action: "Book event",
    link: "https://cal.com/ann/30min",
    layout: "Weekly",
    name: "{{N}}",
    anyPrefilledInformations: [{ questionId: "why", value: "{{N}}" }, { questionId: "none" }],
    saveBookedDateInVariableId: "vD",
  },
}

it("21.13 shows the calendar with known values and waits", () => {
  const step = calComBlock.run(block, testScene({ variables: { N: "Ann" } }))
  expect(step.next).toBe("waitForClient")
  const content = step.say?.[0]?.type === "custom-embed" ? step.say[0].content : undefined
  expect(content?.url).toBe("https://cal.com/ann/30min")
  expect(content?.initFunction.args).toEqual({
    baseUrl: "https://app.cal.com",
    link: "ann/30min",
    name: "Ann",
    email: null,
    layout: "week_view",
    phone: null,
    additionalNotes: null,
    otherPrefilledInformations: { why: "Ann" },
  })
})

it("21.13 sends code that compiles with its arguments", () => {
  const step = calComBlock.run(block, testScene())
  const content = step.say?.[0]?.type === "custom-embed" ? step.say[0].content : undefined
  const { args = {}, content: code = "" } = content?.initFunction ?? {}
  expect(() => new Function(...Object.keys(args), "typebotElement", code)).not.toThrow()
  const wait = content?.waitForEventFunction
  expect(() => new Function("continueFlow", wait?.content ?? "")).not.toThrow()
})

it("21.13 keeps the booked date", () => {
  expect(calComBlock.receive?.(block, "2026-02-03T10:00:00Z", testScene())).toEqual({
    set: [{ variableId: "vD", value: "2026-02-03T10:00:00Z" }],
  })
})

it("21.13 logs a missing link and continues", () => {
  const bare: BlockOf<typeof calComBlock> = { ...block, options: { action: "Book event" } }
  const step = calComBlock.run(bare, testScene())
  expect(step.log?.[0]?.status).toBe("error")
  expect(step.next).toBeUndefined()
})

it.each([
  "javascript:alert(1)",
  "java\tscript:alert(1)",
])("21.13 logs the link %j, which would run code", (link) => {
  const step = calComBlock.run({ ...block, options: { ...block.options, link } }, testScene())
  expect(step.log?.[0]?.status).toBe("error")
  expect(step.say).toBeUndefined()
})
