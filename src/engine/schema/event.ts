/** Entry points of a flow: the start, commands, and reactions to replies and to silence. */
import { z } from "zod"
import type { CatalogueTraits } from "./catalogueTraits.ts"
import {
  coordinatesSchema,
  edgeIdSchema,
  idSchema,
  maxSilence,
  minSilence,
  namedObject,
  optional,
} from "./sharedMembers.ts"

const base = {
  id: idSchema.describe("Id of the event"),
  outgoingEdgeId: edgeIdSchema.optional(),
  graphCoordinates: coordinatesSchema,
}

const startEventSchema = namedObject("StartEvent", "Where every chat begins", {
  ...base,
  type: z.literal("start").describe("The start of the flow"),
})

const commandEventSchema = namedObject("CommandEvent", "Runs when the client sends a command", {
  ...base,
  type: z.literal("command").describe("A command sent by the client"),
  options: optional.object("Name of the command, and whether to return", {
    command: optional.text("Name of the command, matched exactly"),
    resumeAfter: optional.flag("Whether the interrupted input is asked again afterwards"),
  }),
})

const replyOptionsSchema = namedObject("ReplyEventOptions", "Variables that receive the reply", {
  contentVariableId: optional.variableId("Receives the text of the reply"),
  inputNameVariableId: optional.variableId("Receives the group title"),
  inputTypeVariableId: optional.variableId("Receives the kind of input"),
})

const replyEventSchema = namedObject("ReplyEvent", "Runs on every reply, before it is saved", {
  ...base,
  type: z.literal("reply").describe("Every reply"),
  options: replyOptionsSchema.optional(),
})

const invalidReplyEventSchema = namedObject("InvalidReplyEvent", "Runs on invalid replies", {
  ...base,
  type: z.literal("invalidReply").describe("An invalid reply"),
  options: replyOptionsSchema.optional(),
})

const idleEventSchema = namedObject("IdleEvent", "Runs after a time without a reply", {
  ...base,
  type: z.literal("idle").describe("Silence while an input waits"),
  options: optional.object("Threshold of silence", {
    afterSeconds: optional.numberBetween(
      "Seconds of silence; absent: the event never fires",
      minSilence,
      maxSilence,
    ),
  }),
})

export const eventSchemas = [
  startEventSchema,
  commandEventSchema,
  replyEventSchema,
  invalidReplyEventSchema,
  idleEventSchema,
] as const

export const eventSchema = z
  .discriminatedUnion("type", eventSchemas)
  .meta({ id: "Event", description: "An entry point of the flow" })

export type BotEvent = z.infer<typeof eventSchema>
/** How editors show the types of events. */
export const eventCatalogue: { readonly [Type in BotEvent["type"]]: EventTraits<Type> } = {
  start: {
    label: "Start",
    description: "Begins every chat",
    icon: "flag",
  },
  command: {
    label: "Command",
    description: "Begins a path when the page or the app around the chat sends a command",
    icon: "terminal",
    messengers: "none",
    defaults: { options: { command: "" } },
  },
  reply: {
    label: "Every reply",
    description: "Begins a path on each reply, before it is saved",
    icon: "reply",
  },
  invalidReply: {
    label: "Invalid reply",
    description: "Begins a path when a reply does not fit the question",
    icon: "circle-alert",
  },
  idle: {
    label: "Silence",
    description: "Begins a path after a time without a reply",
    icon: "timer",
    defaults: { options: { afterSeconds: 600 } },
  },
}

type EventTraits<Type extends BotEvent["type"]> = Omit<
  CatalogueTraits<Partial<Omit<Extract<BotEvent, { type: Type }>, "id" | "type">>>,
  "category" | "isLegacy"
>

export type ReplyEvent = z.infer<typeof replyEventSchema> | z.infer<typeof invalidReplyEventSchema>
