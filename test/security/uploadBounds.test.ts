/** Tests that strangers cannot fill the store: uploads are limited per chat and per address, across processes. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
const folder = await testFolder()
const variables = {
  DATABASE_URL: db.url,
  PARLEY_DATA: folder,
  PARLEY_PUBLIC_URL: "http://chat.example",
  PARLEY_UPLOAD_MAX_MB: "1",
  PARLEY_UPLOADS_PER_CHAT: "6/3",
  PARLEY_UPLOADS_PER_ADDRESS: "10/8",
  PARLEY_DEFAULT_PLAN: "PRO",
  PARLEY_TRUSTED_PROXIES: "1",
}
const server = await testServer(variables)
const other = await testServer(variables)
const { publicId } = await publishBot(server, bot(group("A", ask.file({ id: "files" }))))
const megabyte = 1024 * 1024

beforeEach(async () => {
  await db.pool.query("delete from upload_tallies")
})

let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`

type Asked = {
  ip: string
  fileSize?: number
  token?: string | null
  at?: typeof server
  origin?: string
}

/** A chat that waits for files, and a way to ask for leave to upload one. */
async function openChat() {
  const { step } = await chatOver(server, publicId)
  const { sessionId } = step
  return {
    sessionId,
    async prepare({ ip, fileSize, token = null, at = server, origin }: Asked) {
      const body = { sessionId, blockId: "files", fileName: "a.png", fileSize }
      const headers = { "x-forwarded-for": ip, ...(origin && { origin }) }
      const { status, body: answer } = await at.send("POST", "/api/v1/generate-upload-url", {
        token,
        body,
        headers,
      })
      const url = String(answer.presignedUrl).replace(variables.PARLEY_PUBLIC_URL, at.address)
      return { status, answer, url }
    },
  }
}

const put = (url: string, bytes: number) =>
  fetch(url, { method: "PUT", body: new Uint8Array(bytes).fill(1) })

/** As if all addresses that were given out had expired. */
const expireAddresses = () =>
  db.pool.query("update upload_tallies set signed_at = now() - interval '1 hour'")

test("a chat may upload a limited number of files, however many processes are asked at once", async () => {
  const { prepare } = await openChat()
  const ip = newAddress()
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      prepare({ ip, fileSize: 10, at: n % 2 === 0 ? server : other }),
    ),
  )
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(6)
  const refused = asked.find(({ status }) => status === 429)
  expect(refused?.answer).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringContaining("This chat may upload at most 6 files and 3 MB together"),
  })
  const next = await openChat()
  expect((await next.prepare({ ip, fileSize: 10 })).status).toBe(200)
})

test("a chat may upload a limited number of bytes, and no more than it announced", async () => {
  const { prepare } = await openChat()
  const ip = newAddress()
  const first = await prepare({ ip, fileSize: megabyte })
  const small = await prepare({ ip, fileSize: 100 })
  expect((await prepare({ ip, fileSize: megabyte })).status).toBe(200)
  expect((await prepare({ ip, fileSize: megabyte })).status).toBe(429)
  expect((await put(small.url, 101)).status).toBe(413)
  expect((await put(small.url, 100)).status).toBe(204)
  expect((await put(first.url, megabyte)).status).toBe(204)
})

test("a file of unknown size counts as the largest until it has come", async () => {
  const { prepare } = await openChat()
  const ip = newAddress()
  const [one, two, three] = [await prepare({ ip }), await prepare({ ip }), await prepare({ ip })]
  expect([one?.status, two?.status, three?.status]).toEqual([200, 200, 200])
  expect((await prepare({ ip })).status).toBe(429)
  for (const each of [one, two]) expect((await put(each?.url ?? "", 10)).status).toBe(204)
  expect((await prepare({ ip })).status).toBe(200)
  // What was given back once is not given back again.
  expect((await put(one?.url ?? "", 10)).status).toBe(409)
  expect((await prepare({ ip })).status).toBe(429)
})

test("one address takes one file, however many uploads come at once", async () => {
  const { prepare } = await openChat()
  const { url } = await prepare({ ip: newAddress(), fileSize: 1_000 })
  const sent = await Promise.all(Array.from({ length: 10 }, () => put(url, 1_000)))
  const statuses = sent.map(({ status }) => status).sort()
  expect(statuses).toEqual([204, ...Array.from({ length: 9 }, () => 409)])
})

test("files that never came leave their room once their addresses have expired, others do not", async () => {
  const { prepare } = await openChat()
  const ip = newAddress()
  const asked = []
  for (let n = 0; n < 6; n++) asked.push(await prepare({ ip, fileSize: 10 }))
  for (const { url } of asked.slice(0, 4)) expect((await put(url, 10)).status).toBe(204)
  expect((await prepare({ ip, fileSize: 10 })).status).toBe(429)
  await expireAddresses()
  const again = await Promise.all([1, 2, 3, 4].map(() => prepare({ ip, fileSize: 10 })))
  expect(again.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
})

test("an address gets leave for so much an hour, whatever chats it opens; a refused file counts nowhere", async () => {
  const ip = "2001:db8::1"
  const chats = await Promise.all([openChat(), openChat(), openChat()])
  const statuses: number[] = []
  // Of the same network.
  for (const chat of chats) {
    for (let n = 0; n < 4; n++) {
      statuses.push((await chat.prepare({ ip: `2001:db8::${n}`, fileSize: 10 })).status)
    }
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  const [, , last] = chats
  const refused = await last.prepare({ ip, fileSize: 10 })
  expect(refused.answer.message).toContain("may upload at most 10 files and 8 MB an hour (limit")
  const others = await Promise.all(
    Array.from({ length: 6 }, () => last.prepare({ ip: newAddress(), fileSize: 10 })),
  )
  // Two were given leave above.
  expect(others.filter(({ status }) => status === 200)).toHaveLength(4)
})

test("a refused file gives back as many bytes as it would have had", async () => {
  const ip = newAddress()
  const counted = async () => {
    const { rows } = await db.pool.query("select files, bytes::int as bytes from upload_tallies")
    return rows.map(({ files, bytes }) => [files, bytes / megabyte]).sort()
  }
  const chats = []
  for (let count = 0; count < 3; count++) chats.push(await openChat())
  for (const [index, chat] of chats.entries()) {
    for (let file = 0; file < 3; file++) {
      const { status } = await chat.prepare({ ip, fileSize: megabyte })
      expect(status).toBe(index * 3 + file < 8 ? 200 : 429)
    }
  }
  // The ninth megabyte was too much for the address, and is not counted in its chat either.
  expect(await counted()).toEqual([
    [2, 2],
    [3, 3],
    [3, 3],
    [8, 8],
  ])
})

test("pages of other origins use up none of what an address may upload here", async () => {
  const ip = newAddress()
  const chats = await Promise.all([openChat(), openChat(), openChat()])
  const statuses: number[] = []
  for (const { prepare } of chats) {
    for (let n = 0; n < 4; n++) {
      const origin = `https://site${n}.example`
      statuses.push((await prepare({ ip, origin, fileSize: 10 })).status)
    }
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  const [, , last] = chats
  expect((await last.prepare({ ip, fileSize: 10 })).status).toBe(200)
})

test("a caller with a token is bounded by its chats alone", async () => {
  const ip = newAddress()
  const { token } = server
  const chats = await Promise.all([openChat(), openChat(), openChat()])
  const asked = await Promise.all(
    chats.flatMap(({ prepare }) =>
      Array.from({ length: 7 }, () => prepare({ ip, token, fileSize: 10 })),
    ),
  )
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(18)
})

test("however many leaves are asked for at once, the database counts one of an address at a time", async () => {
  const { prepare } = await openChat()
  const ip = newAddress()
  expect((await prepare({ ip, fileSize: 10 })).status).toBe(200)
  const client = await db.pool.connect()
  try {
    await client.query("begin")
    const { rows } = await client.query<{ scope: string }>("select scope from upload_tallies")
    for (const { scope } of rows) {
      await client.query("select 1 from upload_tallies where scope = $1 for update", [scope])
    }
    const asked = Array.from({ length: 20 }, () => prepare({ ip, fileSize: 10 }))
    await eventually(async () => expect(await countsThatWait()).toBe(1))
    // Somebody else is served meanwhile, and by then all of them have been read.
    await openChat()
    // One that waits too long goes on on another connection, and is none for a moment.
    await eventually(async () => expect(await countsThatWait()).toBe(1))
    await client.query("commit")
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  } finally {
    await client.query("rollback")
    client.release()
  }
})

test("an upload is written while it comes, and nothing is left of one that ends early", async () => {
  const { prepare } = await openChat()
  const { url } = await prepare({ ip: newAddress(), fileSize: megabyte })
  const before = await filesBelow(folder)
  const half = megabyte / 2
  const body = async function* () {
    yield new Uint8Array(half)
    await eventually(async () => {
      const sizes = (await filesBelow(folder)).map(({ size }) => size)
      expect(sizes).toContain(half)
    })
    throw new Error("the client leaves")
  }
  const sent = fetch(url, { method: "PUT", body: body(), duplex: "half" } as unknown as RequestInit)
  await expect(sent).rejects.toThrow()
  await eventually(async () => expect(await filesBelow(folder)).toEqual(before))
})

/** Every file of a folder, in whatever depth. */
async function filesBelow(root: string): Promise<{ path: string; size: number }[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return { path, size: (await stat(path)).size }
    }),
  )
}

/** Statements that count an upload and wait for the lock of a row. */
async function countsThatWait(): Promise<number> {
  const { rows } = await db.pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%upload_tallies%'`,
  )
  return rows[0]?.waiting ?? 0
}
