/** Differences of a changed bot in recorded conversations, as reported by the service. */
import { z } from "zod"
import { namedObject } from "../../engine/schema/sharedMembers.ts"

const placeSchema = namedObject("ReplayPlace", "A place in a conversation and its content", {
  groupTitle: z
    .string()
    .optional()
    .describe("Title of the group; absent: no block of the bot showed it"),
  blockId: z.string().optional().describe("Id of the block"),
  excerpt: z
    .string()
    .optional()
    .describe(
      "What was shown, answered or asked, around what differs, in one of the conversations; absent: nothing, or the token may not read drafts",
    ),
})

const conversations = z.int().describe("Number of conversations")

const examples = z.array(z.string()).describe("Ids of the results of up to five of them")

const differenceSchema = z
  .object({
    kind: z
      .enum(["text", "question", "answer", "path", "action", "outside", "end", "variable"])
      .meta({
        id: "ReplayDifferenceKind",
        description:
          "text: what the bot says; question: what it asks; answer: how a reply is read; path: where the chat goes; action: what the client does; outside: what other systems are asked; end: whether the chat goes on; variable: what the result holds",
      }),
    variable: z.string().optional().describe("Name of the variable; absent: of another kind"),
    before: placeSchema
      .optional()
      .describe("In the version that the chat ran; absent: nothing was shown there"),
    after: placeSchema
      .optional()
      .describe("In the version that it is compared with; absent: nothing is shown there"),
    conversations: conversations.describe("In how many conversations it is the first difference"),
    answersChanged: z
      .int()
      .describe("In how many of these the reply that follows would have been read otherwise"),
    examples,
  })
  .meta({ id: "ReplayDifference", description: "The first difference of some conversations" })

const unreplayedSchema = namedObject("ReplayUnreplayed", "Conversations that cannot be replayed", {
  reason: z
    .enum([
      "oldRecord",
      "cutRecord",
      "versionDeleted",
      "continued",
      "steered",
      "unrecorded",
      "diverged",
      "tooLong",
    ])
    .meta({
      id: "ReplayObstacle",
      description:
        "oldRecord: an earlier release recorded it; cutRecord: its record was cut; versionDeleted: the version that it ran is gone; continued: a later chat went on with the result; steered: something other than a reply decided its path; unrecorded: values decided that results do not keep; diverged: its version does not follow the recorded path again; tooLong: it takes too much time or memory",
    }),
  conversations,
  examples,
})

/** The result of replaying many conversations. */
export const replayReportSchema = z.object({
  conversations: z.int().describe("How many conversations the page covers"),
  unchanged: z.int().describe("How many of them would have been the same"),
  differences: z.array(differenceSchema).describe("The most frequent first"),
  notReplayed: z.array(unreplayedSchema).describe("Conversations without a result"),
})

export type ReplayReport = z.infer<typeof replayReportSchema>
export type Place = z.infer<typeof placeSchema>

/** The first difference of a conversation; a side is absent where nothing was shown. */
export type Difference = Omit<
  z.infer<typeof differenceSchema>,
  "conversations" | "answersChanged" | "examples"
>
export type DifferenceKind = Difference["kind"]

/** Why a conversation cannot be replayed. */
export type ReplayObstacle = z.infer<typeof unreplayedSchema>["reason"]

/** What the replay of a conversation came to. */
export type Replayed =
  | { isSame: true }
  /** `isReadOtherwise`: the reply that followed, or that differs, would have been read otherwise. */
  | { difference: Difference; isReadOtherwise: boolean }
  | { obstacle: ReplayObstacle }
