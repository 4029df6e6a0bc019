/** A small draft that tests of edits read. */
import type { Draft } from "../../src/engine/edit/draft.ts"
import { deepFreeze } from "./freeze.ts"

/** Where nobody looks. */
export const graphCoordinates = { x: 0, y: 0 }
/** A text bubble. */
export const text = (id: string, words: string) => ({
  ...{ id, type: "text" as const },
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
})

/** Start → Hello: "Hi", a choice whose Yes leads to Thanks: "Thank you". */
export const shop: Draft = deepFreeze({
  version: "6.1",
  name: "Shop",
  icon: null,
  selectedThemeTemplateId: null,
  resultsTablePreferences: null,
  publicId: "shop",
  customDomain: null,
  isClosed: false,
  whatsAppCredentialsId: null,
  events: [{ id: "start", type: "start", outgoingEdgeId: "begin", graphCoordinates }],
  groups: [
    {
      id: "hello",
      title: "Hello",
      graphCoordinates,
      blocks: [
        text("hi", "Hi"),
        {
          id: "ask",
          type: "choice input",
          items: [
            { id: "yes", content: "Yes", outgoingEdgeId: "agree" },
            { id: "no", content: "No" },
          ],
        },
      ],
    },
    { id: "thanks", title: "Thanks", graphCoordinates, blocks: [text("bye", "Thank you")] },
  ],
  edges: [
    { id: "begin", from: { eventId: "start" }, to: { groupId: "hello" } },
    { id: "agree", from: { blockId: "ask", itemId: "yes" }, to: { groupId: "thanks" } },
  ],
  variables: [{ id: "name", name: "Name" }],
  theme: { customCss: "a {}" },
  settings: {},
})
