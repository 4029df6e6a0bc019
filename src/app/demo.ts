/** The bot that a first start publishes, so that there is something to talk to. */
import { contentOf } from "../bots/contentOf.ts"
import { insertBot, isAddressTaken } from "../db/bots/bots.ts"
import { publish } from "../db/bots/publications.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { type Flow, flowSchema, latestVersion } from "../engine/bot.ts"
import { newId, newUuid } from "../lib/ids.ts"

export const demoPublicId = "demo"

const place = { x: 0, y: 0 }

const say = (id: string, ...lines: string[]) => ({
  id,
  type: "text",
  content: { richText: lines.map((text) => ({ type: "p", children: [{ text }] })) },
})

/** Asks visitors what they want, who they are and how to reach them. */
const demoFlow: Flow = flowSchema.parse({
  version: latestVersion,
  events: [{ id: "start", type: "start", outgoingEdgeId: "toWelcome", graphCoordinates: place }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 300, y: 0 },
      blocks: [
        say("hello", "Hi, I am the demo bot of Parley.", "What brings you here?"),
        {
          id: "topic",
          type: "choice input",
          outgoingEdgeId: "toRoute",
          options: { variableId: "vTopic" },
          items: [
            { id: "build", content: "I want to build a bot" },
            { id: "look", content: "I am just looking" },
          ],
        },
      ],
    },
    {
      id: "route",
      title: "Which way",
      graphCoordinates: { x: 600, y: 0 },
      blocks: [
        {
          id: "wantsBot",
          type: "Condition",
          outgoingEdgeId: "toGoodbye",
          items: [
            {
              id: "builds",
              outgoingEdgeId: "toContact",
              content: {
                comparisons: [
                  {
                    id: "isBuilder",
                    variableId: "vTopic",
                    comparisonOperator: "Contains",
                    value: "build",
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    {
      id: "contact",
      title: "Contact",
      graphCoordinates: { x: 900, y: 0 },
      blocks: [
        say("askName", "Great! What is your name?"),
        { id: "name", type: "text input", options: { variableId: "vName" } },
        say("askEmail", "Nice to meet you, {{Name}}. Where can we write to you?"),
        { id: "email", type: "email input", options: { variableId: "vEmail" } },
        say("thanks", "Thank you, {{Name}}! We will write to {{Email}}."),
      ],
    },
    {
      id: "goodbye",
      title: "Goodbye",
      graphCoordinates: { x: 900, y: 300 },
      blocks: [say("bye", "Have a good look around. You find everything at /docs.")],
    },
  ],
  edges: [
    { id: "toWelcome", from: { eventId: "start" }, to: { groupId: "welcome" } },
    { id: "toRoute", from: { blockId: "topic" }, to: { groupId: "route" } },
    {
      id: "toContact",
      from: { blockId: "wantsBot", itemId: "builds" },
      to: { groupId: "contact" },
    },
    { id: "toGoodbye", from: { blockId: "wantsBot" }, to: { groupId: "goodbye" } },
  ],
  variables: [
    { id: "vTopic", name: "Topic" },
    { id: "vName", name: "Name" },
    { id: "vEmail", name: "Email" },
  ],
  theme: {},
  settings: {},
})

/** Stores and publishes the demo in a workspace. Does nothing if its public id is taken. */
export async function seedDemo(db: Db, { workspaceId }: { workspaceId: string }) {
  if (await isAddressTaken(db, { publicId: demoPublicId })) return
  const { version, ...flow } = demoFlow
  const botId = newId()
  await insertBot(db, {
    id: botId,
    workspaceId,
    version,
    name: "Demo",
    publicId: demoPublicId,
    ...flow,
  })
  await publish(db, {
    ...contentOf(demoFlow),
    botId,
    versionId: newUuid(),
    publishedBotId: newId(),
    authorId: null,
    publicId: demoPublicId,
  })
}
