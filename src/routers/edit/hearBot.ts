/** The changes of a bot as a listener may see them. */

import { z } from "zod"
import type { BotNews } from "../../bots/changes/botListeners.ts"
import { findUser } from "../../db/people/users.ts"
import { type Edit, editSchema } from "../../engine/edit/editSchema.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { requireBot } from "../../people/access.ts"
import { type Context, createContext } from "../context.ts"
import { botIdSchema, revisionSchema, timestampSchema } from "../sharedSchemas.ts"
import { requireCaller } from "../trpc.ts"
import {
  authorMember,
  authorOf,
  presentPublication,
  publicationSchema,
} from "../version/versionSchemas.ts"

export const editKindSchema = z.enum(["edit", "undo", "redo"]).describe("Kind of edit")

export const targetSchema = revisionSchema
  .optional()
  .describe("The revision that was taken back; absent: none")

const presentSchema = namedObject("Present", "A person who listens to the changes of a bot", {
  userId: z.string().describe("Id of the user"),
  name: z.string().nullable().describe("Name; null: none"),
  focus: z.string().optional().describe("The element that they are at; absent: none"),
})

/** One change. Answers are made of it, and not checked against it. */
export const botChangeSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("listening").describe("Nothing that happens after this revision is missed"),
      revision: revisionSchema,
    }),
    z.object({
      type: z.literal("edited").describe("An edit landed"),
      revision: revisionSchema,
      kind: editKindSchema,
      target: targetSchema,
      at: timestampSchema("When it was made"),
      author: authorMember,
      changeId: z.string().optional().describe("Id that its author gave; absent: none"),
      edits: z.array(editSchema).describe("Applied one after the other"),
    }),
    z.object({
      type: z
        .literal("replaced")
        .describe("The draft was changed as a whole, or too much of it: it must be read again"),
      revision: revisionSchema,
    }),
    z.object({
      type: z.literal("published").describe("The last publication comes first, if there is one"),
      publication: publicationSchema,
    }),
    z.object({
      type: z.literal("present").describe("A person came, left or moved"),
      present: z.array(presentSchema).describe("All who are there"),
    }),
  ])
  .meta({ id: "BotChange", description: "A change of a bot" })

export type BotChange = z.infer<typeof botChangeSchema>

export const hearingSchema = z.object({
  botId: botIdSchema,
  revision: revisionSchema
    .optional()
    .describe("Revision of the draft that the caller has; absent: the present one"),
})

/** The revision up to which everything was heard, and what. */
export type HeardChange = { id: string; data: BotChange }

type Hearing = z.output<typeof hearingSchema> & {
  lastId?: string | undefined
  signal: AbortSignal
}

/** Reads the changes for a caller, who is admitted again before each is sent. */
export async function* hearBot(
  ctx: Context,
  { botId, revision, lastId, signal }: Hearing,
): AsyncGenerator<HeardChange, void> {
  let viewer = await admit(ctx, botId)
  const { id: userId } = viewer.user
  const { name = null } = (await findUser(ctx.db, userId)) ?? {}
  const news = ctx.live.bots.hear({
    botId,
    person: { userId, name: name && cut(name) },
    signal,
    after: revisionSchema.safeParse(Number(lastId)).data ?? revision,
    admit: async () => {
      viewer = await admit(ctx, botId)
    },
  })
  let id = ""
  for await (const each of news) {
    const data = present(each, viewer)
    if ("revision" in data) id = String(data.revision)
    yield { id, data }
  }
}

/** A token may have been revoked, and a role taken away, since the last time. */
async function admit(ctx: Context, botId: string) {
  const user = await requireCaller(createContext(ctx, ctx), "bots:read")
  return { user, facts: await requireBot({ db: ctx.db, user }, botId, "read") }
}

function present(news: BotNews, viewer: Awaited<ReturnType<typeof admit>>): BotChange {
  if (news.type === "published") {
    return { type: "published", publication: presentPublication(news.publication, viewer) }
  }
  if (news.type !== "edited") return news
  const { revision, kind, target, changeId, createdAt, edits, ...row } = news.edit
  const author = authorOf(row, viewer)
  return {
    type: "edited",
    revision,
    kind,
    at: createdAt.toISOString(),
    edits: edits as Edit[],
    ...(target !== null && { target }),
    ...(changeId !== null && { changeId }),
    ...(author && { author }),
  }
}
