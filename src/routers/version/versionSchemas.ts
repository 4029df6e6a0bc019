/** Versions of bots and their publication history, in requests and responses. */

import { z } from "zod"
import type { BotFacts } from "../../db/bots/bots.ts"
import type { PublicationRow } from "../../db/bots/publications.ts"
import type { ListedVersion } from "../../db/bots/versions.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { isEditor } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { presentRow } from "../presentRow.ts"
import { doneSchema, timestampSchema, versionNumberSchema } from "../sharedSchemas.ts"

/** The response to a change that leads to a version. */
export const versionDoneSchema = doneSchema
  .extend({ version: versionNumberSchema })
  .meta({ id: "VersionDone", description: "The response to a change that leads to a version" })

export const maxNoteLength = 500

/** The note on a version or a publication. */
export const noteSchema = z
  .string()
  .trim()
  .max(maxNoteLength)
  .nullish()
  .transform((note) => note || undefined)
  .describe("Note for other people; absent: none")

const authorSchema = namedObject("Author", "Who did it", {
  id: z.string().describe("Id of the user"),
  name: z.string().nullable().describe("Name; null: none"),
  email: z.string().optional().describe("Email address; absent: hidden from guests"),
})

export const authorMember = authorSchema.optional().describe("Who did it; absent: no longer known")

export const publicationSchema = z
  .object({
    at: timestampSchema("When it happened; no two entries of a bot have the same time"),
    kind: z
      .enum(["publish", "rollback", "unpublish"])
      .describe(
        "What went live: publish: the draft; rollback: an earlier version; unpublish: nothing",
      ),
    version: versionNumberSchema
      .optional()
      .describe("Number of the version that went live; absent: none"),
    note: z.string().optional().describe("Note for other people; absent: none"),
    author: authorMember,
  })
  .meta({ id: "Publication", description: "A change of what new chats of a bot run" })

/** The caller, with the facts about the bot whose versions are shown. */
export type Viewer = { facts: BotFacts; user: Caller }

export function presentPublication(
  row: PublicationRow,
  viewer: Viewer,
): z.infer<typeof publicationSchema> {
  return presentRow(publicationSchema, {
    ...row,
    version: row.number,
    note: row.note && cut(row.note, maxNoteLength),
    author: authorOf(row, viewer),
  })
}

type AuthorColumns = Pick<ListedVersion, "authorId" | "authorName" | "authorEmail">

/** The author, if known; guests see only their own email address. */
export function authorOf(
  { authorId: id, authorName: name, authorEmail }: AuthorColumns,
  { facts, user }: Viewer,
): z.infer<typeof authorSchema> | null {
  if (id === null) return null
  const seesEmail = isEditor(facts) || user.isPlatformAdmin || id === user.id
  const email = seesEmail ? authorEmail : null
  return presentRow(authorSchema, { id, name: name && cut(name), email })
}
