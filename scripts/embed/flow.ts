/** The bot that the embed talks to: it asks for everything that a visitor can give. */
import { place, say } from "../drills/flowParts.ts"

/** `credentialsId` is that of the account at the model. */
export function flowOf(credentialsId: string) {
  return {
    version: "6.1",
    name: "Embedded",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1", graphCoordinates: place }],
    edges: [{ id: "e1", from: { eventId: "start" }, to: { groupId: "g1" } }],
    variables: ["Name", "Drink", "Email", "File", "Reply"].map((name) => ({ id: name, name })),
    groups: [
      {
        id: "g1",
        title: "All",
        graphCoordinates: place,
        blocks: [
          say("b1", "What is your name?"),
          { id: "i1", type: "text input", options: { variableId: "Name" } },
          say("b2", "Hello {{Name}}, what would you like?"),
          {
            id: "i2",
            type: "choice input",
            options: { variableId: "Drink" },
            items: [
              { id: "tea", content: "Tea" },
              { id: "coffee", content: "Coffee" },
            ],
          },
          say("b3", "{{Drink}} it is. Your e-mail?"),
          { id: "i3", type: "email input", options: { variableId: "Email" } },
          say("b4", "Show me a picture."),
          { id: "i4", type: "file input", options: { variableId: "File" } },
          say("b5", "Let me think about it."),
          {
            id: "m1",
            type: "openai",
            options: {
              credentialsId,
              action: "Create chat completion",
              model: "any",
              messages: [{ role: "user", content: "What about {{Drink}}?" }],
              responseMapping: [{ id: "r1", item: "Message content", variableId: "Reply" }],
            },
          },
          say("b6", "{{Reply}}"),
          say("b7", "Goodbye {{Name}}."),
        ],
      },
    ],
  }
}
