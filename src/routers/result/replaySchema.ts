/** The report on replayed conversations in responses. */
import { z } from "zod"
import { namedObject } from "../../engine/schema/members.ts"
import { differenceKinds, type Place, replayObstacles } from "../../workshop/replay/difference.ts"
import type { ReplayReport } from "../../workshop/replay/report.ts"
import { pageSchema } from "../cursor.ts"

const placeSchema = namedObject("ReplayPlace", "Where something was shown, and what", {
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

const conversations = z.int().describe("How many conversations")

const examples = z.array(z.string()).describe("Ids of the results of up to five of them")

const differenceSchema = z
  .object({
    kind: z.enum(differenceKinds).meta({
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
  reason: z.enum(replayObstacles).meta({
    id: "ReplayObstacle",
    description:
      "oldRecord: an earlier release recorded it; cutRecord: its record was cut; versionDeleted: the version that it ran is gone; continued: a later chat went on with the result; steered: something else than a reply decided where it went; unrecorded: values decided that results do not keep; diverged: its version does not go the recorded way again; tooLong: it takes too much time or memory",
  }),
  conversations,
  examples,
})

/** A page of the report. */
export const replayReportSchema = pageSchema.extend({
  conversations: z.int().describe("How many conversations the page covers"),
  unchanged: z.int().describe("How many of them would have been the same"),
  differences: z.array(differenceSchema).describe("What most people see comes first"),
  notReplayed: z.array(unreplayedSchema).describe("What says nothing about the change"),
})

/** The report for a token that may not read drafts. */
export function withoutExcerpts(report: ReplayReport): ReplayReport {
  const without = (place: Place | undefined) => place && { ...place, excerpt: undefined }
  const differences = report.differences.map((each) => ({
    ...each,
    before: without(each.before),
    after: without(each.after),
  }))
  return { ...report, differences }
}
