/** What a draft of several authors shows: one's own edits at once, those of others as they come. */
import { afterEach, expect, test } from "vitest"
import {
  type DraftConflict,
  type DraftListeners,
  openDraft,
  type SharedDraft,
} from "../../src/client/draft.ts"
import { type Edit, takeMine } from "../../src/client/edit.ts"
import { createParleyClient, isParleyError, type ParleyClient } from "../../src/client.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const parley = createParleyClient({ url: server.address, token: server.token })
const opened: SharedDraft[] = []
afterEach(() => {
  for (const draft of opened.splice(0)) draft.close()
})

/** Opens the draft of a new bot as two authors do. */
async function openTwice(listeners: DraftListeners = {}) {
  const { workspaceId } = server
  const made = await parley.bot.create.mutate({ workspaceId, bot: { name: "Shared" } })
  const botId = made.bot.id
  const [ann, bob] = await Promise.all([
    openDraft(parley, botId, listeners),
    openDraft(parley, botId),
  ])
  opened.push(ann, bob)
  return { botId, ann, bob }
}

test("an edit shows at once, is saved, and reaches the other author", async () => {
  const { ann, bob } = await openTwice()
  const shown: [string, boolean][] = []
  const stop = ann.onChange(() => shown.push([ann.bot.name, ann.isSaved]))
  ann.edit([{ type: "bot.set", name: "Shop" }])
  expect([ann.bot.name, ann.isSaved]).toEqual(["Shop", false])
  await ann.settled()
  expect(ann.isSaved).toBe(true)
  await bob.reached(ann.bot.revision)
  expect(bob.bot).toEqual(ann.bot)
  expect(shown[0]).toEqual(["Shop", false])
  expect(shown.at(-1)).toEqual(["Shop", true])
  const before = shown.length
  stop()
  ann.edit([{ type: "bot.set", name: "Store" }])
  await ann.settled()
  expect(shown).toHaveLength(before)
})

test("undo waits for what is not saved, and takes back one's own change alone", async () => {
  const { ann, bob } = await openTwice()
  bob.edit([{ type: "bot.set", icon: "🛍️" }])
  await bob.settled()
  await ann.reached(bob.bot.revision)
  ann.edit([{ type: "bot.set", name: "Shop" }])
  await ann.undo()
  expect(ann.bot).toMatchObject({ name: "Shared", icon: "🛍️" })
  await ann.redo()
  expect(ann.bot.name).toBe("Shop")
})

test("undo, redo and edits in quick succession are made in the order of their calls", async () => {
  const { ann } = await openTwice()
  ann.edit([{ type: "bot.set", name: "Shop" }])
  const undone = [ann.undo(), ann.redo(), ann.undo()]
  ann.edit([{ type: "bot.set", icon: "🛍️" }])
  expect(ann.isSaved).toBe(false)
  await Promise.all(undone)
  await ann.settled()
  expect(ann.bot).toMatchObject({ name: "Shared", icon: "🛍️" })
  await ann.undo()
  expect([ann.bot.name, ann.bot.icon]).toEqual(["Shared", null])
})

test("an undo without anything to undo is refused with its reason", async () => {
  const { ann } = await openTwice()
  const refused = await ann.undo().catch((error: unknown) => error)
  expect(isParleyError(refused) && refused.data?.reason).toBe("NOTHING_TO_UNDO")
})

test("an edit that cannot be made throws, and nothing of it is shown or sent", async () => {
  const { ann } = await openTwice()
  const edit = () =>
    ann.edit([
      { type: "bot.set", name: "X" },
      { type: "group.remove", groupId: "?" },
    ])
  expect(edit).toThrow(expect.objectContaining({ name: "EditProblem", index: 1 }))
  expect([ann.bot.name, ann.isSaved]).toEqual(["Shared", true])
})

test("an edit of what another author has changed is refused, and what they made is shown", async () => {
  const refused: unknown[] = []
  const { ann, bob } = await openTwice({
    onRefused: (id, _, { edits, before }) => refused.push([id, edits, before.name]),
  })
  bob.edit([{ type: "bot.set", name: "Bob's" }])
  const mine = ann.edit([{ type: "bot.set", name: "Ann's" }])
  await Promise.all([ann.settled(), bob.settled()])
  await Promise.all([ann.reached(2), bob.reached(2)])
  expect(ann.bot.name).toBe(bob.bot.name)
  const made = [mine, [{ type: "bot.set", name: "Ann's" }], "Shared"]
  expect(refused).toEqual(ann.bot.name === "Bob's" ? [made] : [])
})

const flow = {
  groups: [
    {
      id: "g",
      title: "Hello",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [{ id: "ask", type: "number input" as const, options: {} }],
    },
  ],
}

const ask = (options: object): Edit => ({
  ...{ type: "block.put", groupId: "g" },
  block: { id: "ask", type: "number input", options },
})

test("edits of different members of one element are merged, also those that follow", async () => {
  const refused: unknown[] = []
  const { botId, ann, bob } = await openTwice({ onRefused: (id) => refused.push(id) })
  ann.edit([{ type: "group.put", group: flow.groups[0] as never }])
  await ann.settled()
  await bob.reached(ann.bot.revision)
  bob.edit([ask({ min: 1 })])
  ann.edit([ask({ max: 9 })])
  ann.edit([ask({ max: 9, step: 2 })])
  await Promise.all([ann.settled(), bob.settled()])
  const { bot } = await parley.bot.get.query({ botId })
  expect(bot.groups[0]?.blocks[0]).toMatchObject({ options: { min: 1, max: 9, step: 2 } })
  expect(refused).toEqual([])
  for (const draft of [ann, bob]) {
    await draft.reached(bot.revision)
    expect(draft.bot).toEqual(bot)
  }
})

test("of members that both changed the author is asked, and what is left is saved", async () => {
  const conflicts: DraftConflict[] = []
  const { ann, bob } = await openTwice({
    onRefused: (_, __, refused) => conflicts.push(...refused.conflicts),
  })
  const before = ann.bot
  bob.edit([{ type: "bot.set", name: "Bob's" }])
  await bob.settled()
  await ann.reached(bob.bot.revision)
  // As a form does that was opened before.
  ann.edit([{ type: "bot.set", name: "Ann's", icon: "A" }], before)
  await ann.settled()
  expect(ann.bot).toMatchObject({ name: "Bob's", icon: "A" })
  expect(conflicts).toEqual([
    expect.objectContaining({
      ...{ element: "bot.name", path: [], before: "Shared", mine: "Ann's", theirs: "Bob's" },
      by: expect.objectContaining({ email: "ann@example.com" }),
    }),
  ])
  for (const conflict of conflicts) ann.edit(takeMine(ann.bot, conflict))
  await ann.settled()
  await bob.reached(ann.bot.revision)
  expect(bob.bot).toMatchObject({ name: "Ann's", icon: "A" })
})

test("publications are reported, and the loss of access ends what is heard", async () => {
  const events: string[] = []
  const lost: unknown[] = []
  const { botId } = await openTwice({
    onEvent: ({ type }) => events.push(type),
    onLost: (error) => lost.push(error),
  })
  await parley.bot.publish.mutate({ botId })
  await expect.poll(() => events).toContain("published")
  await parley.bot.delete.mutate({ botId })
  await expect.poll(() => lost.map(isParleyError)).toEqual([true])
})

test("a draft that was replaced again while it was read is read again", async () => {
  const reads: ((revision: number) => void)[] = []
  const query = () =>
    new Promise((resolve) => {
      reads.push((revision) => resolve({ bot: { revision, name: `Name ${revision}` } }))
    })
  let hear = (_: { data: { type: "replaced"; revision: number } }) => {}
  const subscribe = (_: unknown, { onData }: { onData: typeof hear }) => {
    hear = onData
    return { unsubscribe: () => {} }
  }
  const calls = { get: { query }, changes: { subscribe } }
  const opening = openDraft({ bot: calls } as unknown as ParleyClient, "bot")
  reads.shift()?.(1)
  const draft = await opening
  hear({ data: { type: "replaced", revision: 2 } })
  hear({ data: { type: "replaced", revision: 3 } })
  reads.shift()?.(2)
  await draft.reached(2)
  expect(reads).toHaveLength(1)
  reads.shift()?.(3)
  await draft.reached(3)
  expect(draft.bot.name).toBe("Name 3")
  draft.close()
})
