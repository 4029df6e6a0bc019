/** Segment events. */
import { expect, it } from "vitest"
import { httpCallOf, type OptionsOf, testScene } from "../../../../../test/support/context.ts"
import { segmentBlock } from "./block.ts"

type SegmentOptions = OptionsOf<typeof segmentBlock>

function eventOf(options: SegmentOptions) {
  const block = { id: "b", type: "segment" as const, options: { credentialsId: "c", ...options } }
  const call = httpCallOf(segmentBlock.run(block, testScene({ variables: { U: "u1" } })))
  const body = call?.request.body
  const text = body && "text" in body && typeof body.text === "string" ? body.text : undefined
  return call ? [call.request.url, JSON.parse(text ?? "null")] : undefined
}

const stamp = { messageId: "id1", timestamp: "2026-01-02T03:04:05.678Z" }
const api = "https://api.segment.io/v1"

it.each<[SegmentOptions, string, object]>([
  [
    { action: "Alias", userId: "{{U}}", previousId: "p" },
    `${api}/alias`,
    { userId: "u1", previousId: "p" },
  ],
  [
    { action: "Identify User", userId: "u", email: "a@b.co", traits: [{ key: "k", value: "v" }] },
    `${api}/identify`,
    { userId: "u", traits: { k: "v", email: "a@b.co" } },
  ],
  [
    { action: "Page", userId: "u", name: "Home", category: "Web" },
    `${api}/page`,
    { userId: "u", name: "Home", category: "Web", properties: {} },
  ],
  [
    { action: "Track", userId: "u", eventName: "Paid", properties: [{ key: "p", value: "1" }] },
    `${api}/track`,
    { userId: "u", event: "Paid", properties: { p: "1" } },
  ],
])("21.15 sends %j", (options, url, event) => {
  expect(eventOf(options)).toEqual([url, { ...event, ...stamp }])
})

it("21.15 silently drops an incomplete event", () => {
  for (const action of ["Alias", "Identify User", "Page", "Track"]) {
    const block = { id: "b", type: "segment" as const, options: { credentialsId: "c", action } }
    expect(segmentBlock.run(block, testScene())).toEqual({})
  }
})

it("21.15 logs a refusal", () => {
  const options = { credentialsId: "c", action: "Track", userId: "u1", eventName: "e" }
  const block = { id: "b", type: "segment" as const, options }
  const step = segmentBlock.resume.http(block, { status: 400, text: "bad" }, testScene())
  expect(step.log?.[0]?.details).toBe("bad")
})
