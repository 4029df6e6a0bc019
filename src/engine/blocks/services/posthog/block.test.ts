/** PostHog events. */
import { describe, expect, it } from "vitest"
import {
  type BlockOf,
  httpCallOf,
  type OptionsOf,
  testScene,
} from "../../../../../test/support/context.ts"
import { posthogBlock } from "./block.ts"

type PosthogBlock = BlockOf<typeof posthogBlock>
type PosthogOptions = OptionsOf<typeof posthogBlock>

const blockOf = (options: PosthogOptions): PosthogBlock => ({
  id: "b",
  type: "posthog",
  options: { credentialsId: "c", ...options },
})

function eventOf(options: PosthogOptions) {
  const body = httpCallOf(posthogBlock.run(blockOf(options), testScene()))?.request.body
  if (!body || !("text" in body) || typeof body.text === "string") return undefined
  expect(body.text[1]).toEqual({ secret: "apiKey", as: "json" })
  return JSON.parse(body.text.map((part) => (typeof part === "string" ? part : '"key"')).join(""))
}

const timestamp = "2026-01-02T03:04:05.678Z"

describe("21.16 a captured event", () => {
  it("names a person, its properties and groups", () => {
    expect(
      eventOf({
        action: "Capture",
        distinctId: "u1",
        event: "paid",
        properties: [{ key: "plan", value: "pro" }],
        personProperties: [{ key: "city", value: "Rome" }],
        groups: [{ type: "company", key: "c1" }],
      }),
    ).toEqual({
      api_key: "key",
      event: "paid",
      distinct_id: "u1",
      properties: { plan: "pro", $set: { city: "Rome" }, $groups: { company: "c1" } },
      timestamp,
    })
  })

  it("makes no profile when it is anonymous", () => {
    expect(eventOf({ action: "Capture", event: "seen", isAnonymous: true })).toEqual({
      api_key: "key",
      event: "seen",
      distinct_id: "id1",
      properties: { $process_person_profile: false },
      timestamp,
    })
  })

  it("logs missing options", () => {
    const logOf = (options: PosthogOptions) =>
      posthogBlock.run(blockOf(options), testScene()).log?.[0]?.description
    expect(logOf({ action: "Capture", distinctId: "u" })).toBe("No event is given")
    expect(logOf({ action: "Capture", event: "e" })).toBe("No distinct id is given")
    expect(logOf({ action: "Identify Group", groupType: "t" })).toBe(
      "The group needs a type and a key",
    )
  })
})

it("21.16 identifies a group, by itself without a person", () => {
  expect(
    eventOf({
      action: "Identify Group",
      groupType: "company",
      groupKey: "c1",
      properties: [{ key: "size", value: "5" }],
    }),
  ).toEqual({
    api_key: "key",
    event: "$groupidentify",
    distinct_id: "$company_c1",
    properties: { $group_type: "company", $group_key: "c1", $group_set: { size: "5" } },
    timestamp,
  })
})
