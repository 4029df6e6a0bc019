/** Lists of bots read about as much as one answer holds, however many pictures their bots have as icons. */
import { expect, test } from "vitest"
import { listBots } from "../../src/db/bots/listedBots.ts"
import { listOwnBotInvitations } from "../../src/db/people/botInvitations.ts"
import { listSharedBots } from "../../src/db/people/collaborators.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft, insertPerson, insertTeam } from "../support/people.ts"

const db = await testDatabase()
const ann = await newUser(db)
const owner = await insertPerson(db)
const workspaceId = await insertTeam(db, [[owner, "ADMIN"]])
const ownId = await insertTeam(db, [[{ ...ann, isPlatformAdmin: false, tokenId: "t" }, "ADMIN"]])
/** About twice what an answer holds. */
const count = 32
for (const id of [workspaceId, ownId]) {
  const botId = await insertDraft(db, { workspaceId: id })
  await db.pool.query(
    `insert into bots (id, workspace_id, version, name, icon, created_at)
    select id || n, workspace_id, version, name || n, repeat('x', 1000000), created_at + n * interval '1 s'
    from bots, generate_series(1, $2::int) n where id = $1`,
    [botId, count],
  )
}
await db.pool.query(
  `insert into bot_collaborators (bot_id, user_id, type)
  select id, $2, 'READ' from bots where workspace_id = $1`,
  [workspaceId, ann.id],
)
await db.pool.query(
  `insert into bot_invitations (id, bot_id, email, type)
  select id, id, $2, 'READ' from bots where workspace_id = $1`,
  [workspaceId, ann.email],
)

const listing = { workspaceId: ownId, userId: ann.id, isInBin: false, isGuest: false } as const
const invited = { email: ann.email, limit: 100 }

test.each([
  ["of a workspace", () => listBots(db, { ...listing, order: "createdAt" })],
  ["of a workspace by name", () => listBots(db, { ...listing, order: "name", limit: 501 })],
  ["shared with somebody", () => listSharedBots(db, { userId: ann.id, limit: 201 })],
  ["that somebody is invited to", () => listOwnBotInvitations(db, invited)],
])("a page of the bots %s is read, and the one after it", async (_, list) => {
  expect((await list()).length).toBeOneOf([16, 17, 18])
})

/** Reads every page; returns the names in order. */
async function walk(
  page: (cursor?: string) => Promise<{ bots: { name: string }[]; nextCursor?: string | undefined }>,
) {
  const names: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages++) {
    const { bots, nextCursor } = await page(cursor)
    names.push(...bots.map(({ name }) => name))
    if (nextCursor === undefined) return { names, pages: pages + 1 }
    cursor = nextCursor
  }
}

test("the pages together have all bots in order", async () => {
  const { list } = ann.call.bot
  const names = Array.from({ length: count + 1 }, (_, n) => `Bot${n || ""}`)
  expect(await walk((cursor) => list({ workspaceId: ownId, cursor }))).toEqual({
    names: names.toReversed(),
    pages: 3,
  })
  const byName = await walk((cursor) => list({ workspaceId: ownId, sort: "name", cursor }))
  expect(byName.names).toEqual(names.toSorted())
  const shared = await walk((cursor) => ann.call.user.listSharedBots({ limit: 200, cursor }))
  expect(shared.names.toSorted()).toEqual(names.toSorted())
})
