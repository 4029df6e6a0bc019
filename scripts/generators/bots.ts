/** The bots that generated clients walk through: one with every documented member, one with more. */
import { place, say } from "../drills/flowParts.ts"
import { type Components, type Schema, sample } from "./sample.ts"

/** What the walk sees in the chat. */
export const expected = {
  labels: ["Red", "Blue"],
  text: "You took Blue",
  answers: ["Blue"],
  name: "Walk",
}

/** Of a type that the document does not list. */
const unknownBlock = {
  id: "unknown",
  type: "hologram",
  options: { depth: 3, layers: ["a", { b: true }] },
}

/** A short chat, and beside it a block of every documented type with all of its members. */
export function flowOf(components: Components, { hasUnknownBlock = false } = {}) {
  const blocks = documentedBlocks(components)
  return {
    version: "6.1",
    name: expected.name,
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
    groups: [
      {
        id: "ask",
        title: "Ask",
        graphCoordinates: place,
        blocks: [
          say("pick", "Pick one"),
          {
            id: "choice",
            type: "choice input",
            items: expected.labels.map((content) => ({ id: content, content })),
            options: { variableId: "color" },
          },
          say("took", "You took {{Color}}"),
        ],
      },
      {
        id: "all",
        title: "All",
        graphCoordinates: place,
        blocks: hasUnknownBlock ? [...blocks, unknownBlock] : blocks,
      },
    ],
    edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "ask" } }],
    variables: [{ id: "color", name: "Color" }],
    theme: sample({ $ref: "#/components/schemas/Theme" }, components),
    settings: settingsOf(components),
    resultsTablePreferences: sample(
      { $ref: "#/components/schemas/ResultsTablePreferences" },
      components,
    ),
  }
}

/** All settings, but pages of every origin may chat. */
function settingsOf(components: Components) {
  const settings = sample({ $ref: "#/components/schemas/Settings" }, components)
  return { ...(settings as object), security: { allowedOrigins: [] } }
}

function documentedBlocks(components: Components): unknown[] {
  const { oneOf = [] }: Schema = components.Block ?? {}
  return oneOf
    .filter(({ $ref }) => !/(?:Unknown|Start)Block$/.test($ref ?? ""))
    .map((schema) => sample(schema, components))
}
