/** A cursor leads on in the list that gave it out, and nowhere else: every list with every other cursor. */
import { expect, test } from "vitest"
import { z } from "zod"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { cursorsOf } from "../../src/routers/cursor.ts"
import { callsWith, ownCalls, places } from "./ownCalls.ts"
import { type Asked, document, type Place, type Route, routesOf } from "./places.ts"
import { callAs, makeThings, type Tenant, type Things } from "./tenantThings.ts"
import { foreignWorkspaceId, holdings, marker, tokens, workspaceId } from "./twoTenants.ts"

const victim: Tenant = { workspaceId, token: tokens.admin, word: marker, versions: 2 }
const caller: Tenant = { ...victim, workspaceId: foreignWorkspaceId, token: tokens.stranger }
const mine = await makeThings({ ...caller, word: "Mine" })
const theirs = await makeThings(victim)
/** Of the same workspace, with another bot and another endpoint. */
const beside = await makeThings({ ...caller, word: "Mine" })

// Two pages of what operators decided, about bots of each.
const decisions = routesOf(document).filter(({ id }) => id === "decideBot")
for (const things of [mine, theirs, mine, theirs])
  for (const route of decisions)
    for (const asked of ownCalls(route, things)) await callAs(things.tenant, route, asked)

const lists = places.flatMap((place): { place: Place; route: Route }[] => {
  const route = routesOf(document).find(({ id }) => id === place.operation)
  return place.kind === "cursor" && route ? [{ place, route }] : []
})

type Cursor = { of: string; cursor: string }
const [own, foreign, others] = [
  await cursorsFor(mine),
  await cursorsFor(theirs),
  await cursorsFor(beside),
]

/** What callers may think of: ids, former cursors, and JSON. */
const forged: Cursor[] = [
  theirs.resultId,
  theirs.deliveryId,
  theirs.botId,
  `${Date.now()}.${theirs.botId}`,
  "1",
  "",
  packed({ botId: theirs.botId }),
  packed({ botId: theirs.botId, afterId: theirs.resultId }),
  packed({ sessionId: theirs.sessionId, resultId: theirs.resultId }),
  packed(theirs.resultId),
].map((cursor) => ({ of: "forged", cursor }))

const cases = lists.map((list) => ({ ...list, hostile: hostileTo(list) }))
const count = cases.reduce((sum, { hostile }) => sum + hostile.length, 0)

test(`${count} cursors are tried at ${cases.length} lists, those of every list among them`, () => {
  expect(new Set(own.map(({ of }) => of))).toEqual(new Set(lists.map(({ route }) => route.id)))
  expect(foreign).toHaveLength(lists.length)
  expect(new Set([...own, ...foreign].map(({ cursor }) => cursor)).size).toBe(2 * lists.length)
})

test.each(
  cases.map((each) => [each.route.id, each] as const),
)("%s refuses every cursor but its own", async (id, { place, route, hostile }) => {
  const before = await holdings()
  for (const { of, cursor } of hostile) {
    for (const asked of callsWith(route, mine, { place, id: cursor })) {
      const { status, text } = await callAs(caller, route, plain(asked))
      expect(status, `${id} with ${of} ${cursor}: ${text}`).toBe(400)
      expect(text).toContain("cursor is not one of this list")
      expect(text.replaceAll(cursor, "")).not.toContain(marker)
    }
  }
  expect(await holdings()).toEqual(before)
  for (const [things, cursors] of [
    [mine, own],
    [theirs, foreign],
  ] as const) {
    const cursor = cursors.find(({ of }) => of === id)?.cursor ?? ""
    for (const asked of callsWith(route, things, { place, id: cursor })) {
      const { status, text } = await callAs(things.tenant, route, plain(asked))
      expect(status, `the own cursor proves nothing: ${text}`).toBe(200)
    }
  }
})

function hostileTo({ place, route }: (typeof lists)[number]): Cursor[] {
  const isOther = ({ of }: Cursor) => of !== route.id
  // Lists of a workspace are the same for all of its bots.
  const isOfPart = /\{(botId|endpointId)\}/.test(route.path)
  const besides = others.filter((each) => isOther(each) || isOfPart)
  const cursor = own.find(({ of }) => of === place.operation)?.cursor ?? ""
  // Lists of the whole service are the same for all.
  const ofForeign = foreign.filter((each) => isOther(each) || !route.isHidden)
  return [...ofForeign, ...own.filter(isOther), ...besides, ...forged, ...changed(cursor)]
}

/** One bit is another one: of the key's name, the nonce, the place and the tag. */
function changed(cursor: string): Cursor[] {
  const bytes = Buffer.from(cursor, "base64url")
  return [0, 5, 20, bytes.length - 1].map((at) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return { of: `byte ${at} of`, cursor: copy.toString("base64url") }
  })
}

function packed(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url")
}

/** The cursors that a tenant gets of all lists. */
async function cursorsFor(things: Things): Promise<Cursor[]> {
  return await Promise.all(
    lists.map(async ({ route }) => {
      if (route.id === "eraseData") return { of: route.id, cursor: cursorOfErasure(things) }
      const [asked] = ownCalls(route, things)
      if (!asked) throw new Error(`${route.id} is not called`)
      const { text } = await callAs(things.tenant, route, plain(asked, { limit: "1" }))
      const { nextCursor } = JSON.parse(text) as { nextCursor?: string }
      if (nextCursor === undefined) throw new Error(`${route.id} has no second page: ${text}`)
      return { of: route.id, cursor: nextCursor }
    }),
  )
}

/** An erasure goes on only after 15 seconds: sealed as the service would. */
function cursorOfErasure(things: Things): string {
  const cursorCipher = createCipher(["a secret that only tests know of"], "cursors")
  const { workspaceId, key, botId } = things
  const list = ["eraseData", workspaceId, "nobody", key, [botId], false] as const
  return cursorsOf({ cursorCipher }, list, z.unknown()).write({ botId }).nextCursor ?? ""
}

/** Without filters, so that there is more than one page. */
function plain(asked: Asked, more: Record<string, string> = {}): Asked {
  const url = new URL(asked.path, "http://parley.test")
  const kept = ["workspaceId", "cursor"].flatMap((name) => {
    const value = url.searchParams.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const query = new URLSearchParams({ ...Object.fromEntries(kept), ...more })
  const limit = more.limit === undefined ? {} : { limit: Number(more.limit) }
  const body = asked.body === undefined ? {} : { body: { ...asked.body, ...limit } }
  return { ...asked, ...body, path: `${url.pathname}?${query}` }
}
