/** The bot of the drill of steady load: three questions, with scripts of the author in between. */
import { place, say } from "./flowParts.ts"

/** What a client answers, in this order, until the chat ends. */
export const steadyReplies = ["Ann Example", "7", "ann@example.com"]

/** What the last bubbles say when everything before worked. */
export const steadyFarewell = "ANN EXAMPLE has 49"

/** A bot that runs code in a sandbox in two of its turns. */
export function steadyFlow(): object {
  const blocks = [
    say("hello", "Hello! What is your name?"),
    { id: "name", type: "text input", options: { variableId: "v-name" } },
    {
      id: "loud",
      type: "Set variable",
      options: {
        variableId: "v-loud",
        expressionToEvaluate: "String({{Name}}).toUpperCase()",
        isCode: true,
      },
    },
    say("ask-number", "A number, {{Loud}}?"),
    { id: "number", type: "number input", options: { variableId: "v-number" } },
    {
      id: "square",
      type: "Code",
      options: {
        isExecutedOnClient: false,
        content:
          'const all = []\nfor (let i = 0; i < 1000; i++) all.push({ i })\nsetVariable("Square", Number({{Number}}) ** 2)',
      },
    },
    say("ask-mail", "And your e-mail?"),
    { id: "mail", type: "email input", options: { variableId: "v-mail" } },
    say("bye", "{{Loud}} has {{Square}}"),
  ]
  return {
    version: "6.1",
    name: "Steady",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
    groups: [{ id: "g1", title: "All", graphCoordinates: place, blocks }],
    edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g1" } }],
    variables: ["Name", "Loud", "Number", "Square", "Mail"].map((name) => ({
      id: `v-${name.toLowerCase()}`,
      name,
    })),
  }
}
