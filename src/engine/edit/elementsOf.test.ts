/** Examples of touched elements. */
import { describe, expect, test } from "vitest"
import { graphCoordinates, shop, text } from "../../../test/support/shopDraft.ts"
import { settingsSchema } from "../schema/settings.ts"
import { themeSchema } from "../schema/theme.ts"
import type { Edit } from "./editSchema.ts"
import { elementsOf } from "./elementsOf.ts"
import { mergedMembers } from "./mergedMembers.ts"

describe("the elements that an edit touches", () => {
  test.each<[Edit, string[]]>([
    [{ type: "group.put", group: { id: "hello", title: "Hi", graphCoordinates } }, ["group:hello"]],
    [
      { type: "group.remove", groupId: "thanks" },
      ["group:thanks", "group:thanks/blocks", "block:bye", "edge:agree", "block:ask"],
    ],
    [{ type: "block.put", groupId: "hello", block: text("hi", "Hello") }, ["block:hi"]],
    [
      { type: "block.put", groupId: "hello", block: text("new", "New") },
      ["block:new", "group:hello/blocks"],
    ],
    [
      { type: "block.move", blockId: "hi", groupId: "thanks", index: 0 },
      ["block:hi", "group:thanks/blocks", "group:hello/blocks"],
    ],
    [
      { type: "edge.put", edge: { ...shop.edges[1], from: { eventId: "start" } } as never },
      ["edge:agree", "event:start", "block:ask"],
    ],
    [{ type: "event.remove", eventId: "start" }, ["event:start", "edge:begin"]],
    [{ type: "variable.remove", variableId: "name" }, ["variable:name"]],
    [
      { type: "theme.merge", theme: { customCss: "b {}", chat: { roundness: "none" } } },
      ["theme.customCss", "theme.chat.roundness"],
    ],
    [
      { type: "settings.merge", settings: { sessions: null } },
      [
        "settings.sessions",
        "settings.sessions.idleAfter",
        "settings.sessions.expiresAfter",
        "settings.sessions.collectSeconds",
        "settings.sessions.retentionDays",
      ],
    ],
    [{ type: "bot.set", name: "Store", icon: null }, ["bot.name", "bot.icon"]],
  ])("%j", (edit, elements) => {
    expect(elementsOf(shop, edit)).toEqual(elements)
  })

  test("the listed members of themes and settings are those of their schemas", () => {
    for (const [root, schema] of Object.entries({ theme: themeSchema, settings: settingsSchema })) {
      const names = Object.entries(schema.shape).map(([name, member]) => {
        const inner: object = member.unwrap()
        return [name, "shape" in inner ? Object.keys(inner.shape as object) : []]
      })
      expect(mergedMembers).toHaveProperty(root, Object.fromEntries(names))
    }
  })
})
