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
    context: optional.text("Activity that failed or succeeded"),
  },
)

export type Log = z.infer<typeof logSchema> & {
  /** Its details are for the authors of the bot: a live chat stores it and never sends it. */
  isInternal?: true
  /** Description of its block; for authors only as well. */
  place?: string
}

/** The log in the form for authors, with its block. */
export function authorsLog({ isInternal: _, place, ...log }: Log): z.infer<typeof logSchema> {
  if (place === undefined) return log
  return { ...log, context: log.context === undefined ? place : `${place}: ${log.context}` }
}
