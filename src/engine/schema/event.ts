/** Entry points of a flow: the start, commands, and reactions to replies and to silence. */
import { z } from "zod"
import {
  coordinatesSchema,
  edgeIdSchema,
  idSchema,
  longestSilence,
  namedObject,
  optional,
  shortestSilence,
} from "./members.ts"

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
  options: optional.object("What fires the event and what follows it", {
    command: optional.text("Name of the command, matched exactly"),
    resumeAfter: optional.flag("True: the interrupted input is asked again afterwards"),
  }),
})

const replyOptionsSchema = namedObject(
  "ReplyEventOptions",
  "Variables that tell the event what was replied",
  {
    contentVariableId: optional.variableId("Receives what was replied"),
    inputNameVariableId: optional.variableId("Receives the group title"),
    inputTypeVariableId: optional.variableId("Receives the kind of input"),
  },
)

const replyEventSchema = namedObject("ReplyEvent", "Runs on every reply, before it is saved", {
  ...base,
  type: z.literal("reply").describe("Every reply"),
  options: replyOptionsSchema.optional(),
})

const invalidReplyEventSchema = namedObject("InvalidReplyEvent", "Runs when a reply is not valid", {
  ...base,
  type: z.literal("invalidReply").describe("A reply that is not valid"),
  options: replyOptionsSchema.optional(),
})

const idleEventSchema = namedObject("IdleEvent", "Runs when nobody has replied for a while", {
  ...base,
  type: z.literal("idle").describe("Silence while an input waits"),
  options: optional.object("When the event fires", {
    afterSeconds: optional.numberBetween(
      "Seconds of silence; absent: the event never fires",
      shortestSilence,
      longestSilence,
    ),
  }),
})

export const eventSchema = z
  .discriminatedUnion("type", [
    startEventSchema,
    commandEventSchema,
    replyEventSchema,
    invalidReplyEventSchema,
    idleEventSchema,
  ])
  .meta({ id: "Event", description: "An entry point of the flow" })

export type BotEvent = z.infer<typeof eventSchema>
export type ReplyEvent = z.infer<typeof replyEventSchema> | z.infer<typeof invalidReplyEventSchema>
