/** What somebody who works on a bot hears of it, as they may see it. */
import { z } from "zod"
import type { BotNews } from "../../bots/changes/botListeners.ts"
import { findUser } from "../../db/people/users.ts"
import { cut } from "../../engine/cut.ts"
import type { Edit } from "../../engine/edit/editSchema.ts"
import { requireBot } from "../access.ts"
import { botIdSchema, revisionSchema } from "../bot/schema.ts"
import { type Context, createContext } from "../context.ts"
import { requireCaller } from "../trpc.ts"
import { authorOf, presentPublication } from "../version/schema.ts"
import type { BotChange } from "./changeSchema.ts"

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

/** Reads what a caller hears, who is admitted again before anything is told. */
export async function* hearBot(
  ctx: Context,
  { botId, revision, lastId, signal }: Hearing,
): AsyncGenerator<HeardChange, void> {
  let viewer = await admit(ctx, botId)
  const { id: userId } = viewer.user
  const { name = null } = (await findUser(ctx.db, userId)) ?? {}
  const news = ctx.live.bots.hear({
    ...{ botId, person: { userId, name: name && cut(name) }, signal },
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
    ...{ type: "edited", revision, kind, at: createdAt.toISOString(), edits: edits as Edit[] },
    ...(target !== null && { target }),
    ...(changeId !== null && { changeId }),
    ...(author && { author }),
  }
}
