/** Versions of bots and the history of what was live, in requests and responses. */
import { z } from "zod"
import type { BotFacts } from "../../db/bots/bots.ts"
import type { PublicationRow } from "../../db/bots/publications.ts"
import type { ListedVersion } from "../../db/bots/versions.ts"
import { cut } from "../../engine/cut.ts"
import { isEditor } from "../access.ts"
import type { Caller } from "../context.ts"
import { presentRow } from "../presentRow.ts"
import { doneSchema, timestampSchema } from "../sharedSchemas.ts"

/** The number of a version. */
export const versionNumberSchema = z.int().min(1).max(2_147_483_647).meta({
  id: "VersionNumber",
  description: "Number of the version: 1 is the oldest of the bot",
})

/** The response to a change that leads to a version. */
export const versionDoneSchema = doneSchema
  .extend({ version: versionNumberSchema })
  .meta({ id: "VersionDone", description: "The response to a change that leads to a version" })

const longestNote = 500

/** What people write about a version or a publication. */
export const noteSchema = z
  .string()
  .trim()
  .max(longestNote)
  .nullish()
  .transform((note) => note || undefined)
  .describe("What people should know about it; absent: nothing")

const authorSchema = z
  .object({
    id: z.string().describe("Id of the user"),
    name: z.string().nullable().describe("Name; null: none"),
    email: z.string().optional().describe("Mail address; absent for guests"),
  })
  .meta({ id: "Author", description: "Who did it" })

const authorMember = authorSchema.optional().describe("Who did it; absent: not known any more")

/** A version in a list. */
export const listedVersionSchema = z
  .object({
    number: versionNumberSchema,
    createdAt: timestampSchema("When it was created"),
    author: authorMember,
    note: z.string().optional().describe("What people should know about it; absent: nothing"),
    isLive: z.boolean().describe("Whether new chats run it"),
    liveFrom: timestampSchema(
      "Since when it is live, or was the last time; absent: it never was",
    ).optional(),
    liveUntil: timestampSchema(
      "Until when it was live the last time; absent: it still is, never was, or nobody knows",
    ).optional(),
    isDraft: z.boolean().describe("Whether it is a draft that was kept, and was never live"),
    openChats: z.int().describe("Chats of the last 30 days that run it and may go on"),
  })
  .meta({ id: "ListedVersion", description: "An immutable copy of what a draft was" })

/** An entry of the history of what was live. */
export const publicationSchema = z
  .object({
    at: timestampSchema("When it happened; no two entries of a bot have the same time"),
    kind: z
      .enum(["publish", "rollback", "unpublish"])
      .describe("publish: the draft; rollback: a version that was live before; unpublish: nothing"),
    version: versionNumberSchema
      .optional()
      .describe("Number of the version that was live from then on; absent: none"),
    note: z.string().optional().describe("What people should know about it; absent: nothing"),
    author: authorMember,
  })
  .meta({ id: "Publication", description: "A change of what is live of a bot" })

/** Who looks at the authors of a bot's versions. */
type Viewer = { facts: BotFacts; user: Caller }

/** Presents a version of a list. */
export function presentVersion(
  row: ListedVersion,
  { openChats, ...viewer }: Viewer & { openChats: number },
): z.infer<typeof listedVersionSchema> {
  return presentRow(listedVersionSchema, {
    ...row,
    note: row.note && cut(row.note, longestNote),
    author: authorOf(row, viewer),
    isDraft: row.origin !== "publish",
    openChats,
  })
}

/** Presents an entry of the history. */
export function presentPublication(
  row: PublicationRow,
  viewer: Viewer,
): z.infer<typeof publicationSchema> {
  return presentRow(publicationSchema, {
    ...row,
    version: row.number,
    note: row.note && cut(row.note, longestNote),
    author: authorOf(row, viewer),
  })
}

type AuthorColumns = Pick<ListedVersion, "authorId" | "authorName" | "authorEmail">

/** Who did it, if that is known; guests see no mail address but their own. */
function authorOf(
  { authorId: id, authorName: name, authorEmail }: AuthorColumns,
  { facts, user }: Viewer,
): z.infer<typeof authorSchema> | null {
  if (id === null) return null
  const seesEmail = isEditor(facts) || user.isPlatformAdmin || id === user.id
  const email = seesEmail ? authorEmail : null
  return presentRow(authorSchema, { id, name: name && cut(name), email })
}
