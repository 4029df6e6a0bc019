/** Blink. */
import { describe, expect, it } from "vitest"
import {
  type BlockOf,
  httpCallOf,
  type OptionsOf,
  testScene,
} from "../../../../../test/support/context.ts"
import { blinkBlock } from "./block.ts"

const blockOf = (options: OptionsOf<typeof blinkBlock>): BlockOf<typeof blinkBlock> =>
  blinkBlock.schema.parse({ id: "b", type: "blink", options: { credentialsId: "c", ...options } })

const sceneWith = (carry?: unknown) => ({ ...testScene({ variables: { U: "u2" } }), carry })
const pageOf = (data: unknown[]) => ({ status: 200, text: JSON.stringify({ data }) })

describe("21.19 getting users", () => {
  const get: OptionsOf<typeof blinkBlock> = {
    action: "Get Users",
    responseMapping: [{ variableId: "vE" }, { item: "User IDs", variableId: "vI" }],
  }

  it("reads on until a page is empty and keeps lists", () => {
    const first = httpCallOf(blinkBlock.run(blockOf(get), sceneWith()))
    const rows = [
      { id: "u1", email: "a@b.co" },
      { id: "u2", email: "c@d.co" },
    ]
    const second = httpCallOf(
      blinkBlock.resume.http(blockOf(get), pageOf(rows), sceneWith(first?.carry)),
    )
    expect(second?.request.query).toEqual([["page", "2"]])
    const last = blinkBlock.resume.http(blockOf(get), pageOf([]), sceneWith(second?.carry))
    expect(last.set).toEqual([
      { variableId: "vE", value: ["a@b.co", "c@d.co"] },
      { variableId: "vI", value: ["u1", "u2"] },
    ])
  })

  it("stops at the user it searches for, and logs when none matches", () => {
    const block = blockOf({ ...get, filter: { type: "User ID", userId: "{{U}}" } })
    const carry = { page: 1, found: [] }
    const rows = [{ id: "u1" }, { id: "u2", email: "c@d.co" }]
    expect(blinkBlock.resume.http(block, pageOf(rows), sceneWith(carry)).set).toEqual([
      { variableId: "vE", value: "c@d.co" },
      { variableId: "vI", value: "u2" },
    ])
    const none = blinkBlock.resume.http(block, pageOf([]), sceneWith(carry))
    expect(none.log?.[0]?.status).toBe("info")
  })
})

describe("21.19 sending a feed event", () => {
  const send: OptionsOf<typeof blinkBlock> = {
    action: "Send Feed Event",
    categoryId: "cat",
    ribbonColor: "#fff",
    userIds: ["u1"],
    sections: [
      { id: "1", type: "Header", title: "Hi {{U}}", iconUrl: "https://i.test" },
      { type: "Horizontal Bar Chart", data: [{ id: "x", barColor: "red" }] },
      { id: "3" },
    ],
    pushNotification: { title: "New" },
    responseMapping: [{ variableId: "vE" }],
  }

  it("spells the card as Blink does", () => {
    const body = httpCallOf(blinkBlock.run(blockOf(send), sceneWith()))?.request.body
    const text = body && "text" in body && typeof body.text === "string" ? body.text : "null"
    expect(JSON.parse(text)).toEqual({
      category: "cat",
      body: {
        ribbon_color: "#fff",
        sections: [
          { type: "header", title: "Hi u2", icon_url: "https://i.test" },
          { type: "horizontal_bar_chart", data: [{ bar_color: "red" }] },
        ],
      },
      user_ids: ["u1"],
      notification_title: "New",
      allow_comments: false,
      allow_reactions: false,
    })
  })

  it("keeps the id, and needs receivers and sections", () => {
    const answer = { status: 200, text: '{"data":{"event_id":"e1"}}' }
    expect(blinkBlock.resume.http(blockOf(send), answer, sceneWith()).set).toEqual([
      { variableId: "vE", value: "e1" },
    ])
    const logOf = (options: OptionsOf<typeof blinkBlock>) =>
      blinkBlock.run(blockOf(options), sceneWith()).log?.[0]?.description
    expect(logOf({ ...send, userIds: [] })).toBe("No users or groups are given")
    expect(logOf({ ...send, sections: [] })).toBe("No sections are given")
  })
})

describe("21.19 redirecting", () => {
  it("hands the address to the client", () => {
    const step = blinkBlock.run(blockOf({ action: "Redirect", url: "https://a.test" }), sceneWith())
    expect(step.act?.[0]).toMatchObject({ codeToExecute: { args: { url: "https://a.test" } } })
  })

  it("refuses addresses that are code", () => {
    const step = blinkBlock.run(blockOf({ action: "Redirect", url: "javascript:x" }), sceneWith())
    expect(step.act).toBeUndefined()
    expect(step.log?.[0]?.status).toBe("error")
  })
})
