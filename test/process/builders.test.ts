/** Two builder apps edit one bot at once, over connections that break, while one of two processes is killed. */
import { afterAll, expect, test } from "vitest"
import { openDraft, type SharedDraft } from "../../src/client/draft.ts"
import { persistently } from "../../src/client/repeats.ts"
import { createParleyClient, type ParleyClient } from "../../src/client.ts"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { newId } from "../../src/lib/ids.ts"
import { hashToken, newToken } from "../../src/people/apiTokens.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { createDice, type Dice } from "../support/dice.ts"
import { lossyFetch } from "../support/lossyFetch.ts"
import { randomEdits } from "../support/randomEdits.ts"
import { call, launch, productCopy } from "./product.ts"

/** `BUILDER_EDITS=2000` makes it longer. */
const wanted = Number(process.env.BUILDER_EDITS ?? 120)

const product = await productCopy()
const databaseUrl = await testDatabaseUrl("empty")
const pool = openConnectionPool({ url: databaseUrl, size: 1, statementTimeoutMs: 10_000 })
afterAll(() => pool.end())

const annsToken = newToken()
const variables = {
  DATABASE_URL: databaseUrl,
  PARLEY_SECRET: "a secret that both processes know",
  PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
  PARLEY_BOOTSTRAP_TOKEN: annsToken,
  PARLEY_RATE_LIMITS: "off",
}
// One after the other, because the first one migrates the database.
const processes = [launch(product, variables)]
const addresses = [(await processes[0]?.ready()) ?? ""]
processes.push(launch(product, variables))
addresses.push((await processes[1]?.ready()) ?? "")

test("both and the service end with the same draft, no edit is lost, and undoing all leads back", async () => {
  const dice = createDice(Number(process.env.TEST_SEED ?? 1))
  const asAnn = { token: annsToken }
  const { body: listed } = await call(`${addresses[0]}/api/v1/workspaces`, asAnn)
  const workspaceId = (listed.workspaces as { id: string }[])[0]?.id ?? ""
  const bobsToken = await newMember(workspaceId)
  const [ann, bob] = [annsToken, bobsToken].map((token) => clientOf(token, dice)) as [
    ParleyClient,
    ParleyClient,
  ]
  const bot = { name: "Shared", ...firstFlow }
  const made = await persistently(() => ann.bot.create.mutate({ workspaceId, bot }))
  const botId = made.bot.id
  const first = contentOf(made.bot)

  const acknowledged = new Map<string, number>()
  const refused = new Set<string>()
  const listeners = {
    onSaved: (id: string, revision: number) => acknowledged.set(id, revision),
    onRefused: (id: string) => refused.add(id),
  }
  const drafts = await Promise.all([ann, bob].map((parley) => openDraft(parley, botId, listeners)))
  let edits = 0
  const editing = drafts.map(async (draft) => {
    while (edits < wanted) {
      edits += editAtRandom(draft, dice)
      if (edits > wanted / 2) killOne()
      // As people do, they go on while the last few edits are on their way.
      if (dice.below(3) === 0) await draft.settled()
    }
    await draft.settled()
  })
  await Promise.all(editing)

  const { bot: stored } = await persistently(() => ann.bot.get.query({ botId }))
  for (const draft of drafts) {
    await draft.reached(stored.revision)
    expect(draft.bot).toEqual(stored)
    draft.close()
  }
  const rows = await pool.query<{ change_id: string; revision: number; author_id: string }>(
    "select change_id, revision, author_id from bot_edits where bot_id = $1 order by revision desc",
    [botId],
  )
  const kept = new Map(rows.rows.map(({ change_id, revision }) => [change_id, revision]))
  expect(kept).toEqual(acknowledged)
  expect([...refused].filter((id) => kept.has(id))).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(wanted / 10)

  let { revision } = stored
  const { rows: bobs } = await pool.query("select id from users where email = $1", [bobsEmail])
  for (const { author_id } of rows.rows) {
    const author = author_id === bobs[0]?.id ? bob : ann
    const changeId = newId()
    const request = { botId, revision, changeId }
    revision = (await persistently(() => author.bot.undo.mutate(request))).revision
  }
  const { bot: undone } = await persistently(() => ann.bot.get.query({ botId }))
  expect(contentOf(undone)).toEqual(first)
}, 600_000)

const firstFlow = {
  variables: [{ id: "v0", name: "Name" }],
  groups: [
    {
      id: "g0",
      title: "Hello",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [{ id: "b0", type: "text input" as const }],
    },
  ],
}

/** Everything but when it was changed, and how often. */
function contentOf({ revision: _, updatedAt: __, ...content }: SharedBot) {
  return content
}

type SharedBot = SharedDraft["bot"]

/** Makes some edits at random, and returns how many. */
function editAtRandom(draft: SharedDraft, dice: Dice): number {
  const edits = randomEdits(draft.bot, dice)
  draft.edit(edits)
  return edits.length
}

/** A client of whichever process lives, over connections that break. */
function clientOf(token: string, dice: Dice): ParleyClient {
  const fetch = lossyFetch(dice, () => addresses[dice.below(addresses.length)] ?? "")
  return createParleyClient({ url: "http://parley.example", token, fetch })
}

function killOne(): void {
  if (addresses.length === 1) return
  addresses.pop()
  processes.pop()?.child.kill("SIGKILL")
}

const bobsEmail = "bob@example.com"

async function newMember(workspaceId: string): Promise<string> {
  const [id, token] = [newId(), newToken()]
  await pool.query("insert into users (id, email) values ($1, $2)", [id, bobsEmail])
  await pool.query(
    "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'MEMBER')",
    [workspaceId, id],
  )
  await pool.query(
    "insert into api_tokens (id, owner_id, name, token_hash, hint) values ($1, $2, 'Builder', $3, $4)",
    [newId(), id, hashToken(token), token.slice(-4)],
  )
  return token
}
