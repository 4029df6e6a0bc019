/** A line of a chat's log. */
import { z } from "zod"
import { namedObject, optional } from "./sharedMembers.ts"

export const logSchema = namedObject(
  "ChatLog",
  "Something the author of the bot may want to know",
  {
    status: optional.text("error, success or info; absent means error"),
    description: z.string().describe("What happened"),
    details: optional.text("More about it"),
    context: optional.text("What was being done"),
  },
)

export type Log = z.infer<typeof logSchema> & {
  /** Its details are for the authors of the bot: a live chat stores it and never sends it. */
  isInternal?: true
  /** The block that it is about, in words; for the authors alone as well. */
  place?: string
}

/** The log as authors read it, with the block that it is about. */
export function authorsLog({ isInternal: _, place, ...log }: Log): z.infer<typeof logSchema> {
  if (place === undefined) return log
  return { ...log, context: log.context === undefined ? place : `${place}: ${log.context}` }
}
