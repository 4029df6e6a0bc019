/** Files of authors: what is taken, how it is served, how much there may be, and who may. */
import { readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createFileStore } from "../../src/effects/files/fileStore.ts"
import { createLocalStorage } from "../../src/effects/files/localStorage.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const folder = await testFolder()
const database = await testDatabase()
const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_DATA: folder,
  PARLEY_FILES_MB: "1",
})

/** What the service has, for jobs, which neither sign nor name anything. */
const store = createFileStore({
  storage: createLocalStorage(join(folder, "files")),
  publicUrl: "",
  keys: [Buffer.alloc(32)],
  folderKey: Buffer.alloc(32),
})

const png = { fileName: "logo.png", fileType: "image/png" }
const bytes = "\u0089PNG, or what claims to be one <script>"

type File = { id: string; url: string; type: string; bytes: number; name: string }

/** A bot in a workspace of its own. */
async function newBot() {
  const name = `W${Math.random()}`
  const made = await server.send("POST", "/api/v1/workspaces", { body: { name } })
  const { id: workspaceId } = made.body.workspace as { id: string }
  const drawn = await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot: {} } })
  const { id: botId } = drawn.body.bot as { id: string }
  const path = `/api/v1/bots/${botId}/files`
  return { workspaceId, botId, path, ofWorkspace: `/api/v1/workspaces/${workspaceId}/files` }
}

async function announce(path: string, file: object) {
  const { status, body } = await server.send("POST", path, { body: file })
  return { status, body, file: body.file as File, presignedUrl: String(body.presignedUrl) }
}

/** The service has another port than it believes. */
const here = (url: string) => url.replace("http://localhost:0", server.address)

/** Sends a form as browsers do. */
async function upload(presignedUrl: string, content: string, type = "image/png") {
  const form = new FormData()
  form.append("file", new Blob([content], { type }), "any.html")
  return (await fetch(here(presignedUrl), { method: "POST", body: form })).status
}

async function kept(path: string, content = bytes) {
  const fileSize = Buffer.byteLength(content)
  const announced = await announce(path, { ...png, fileSize })
  expect(announced.status, JSON.stringify(announced.body)).toBe(200)
  expect(await upload(announced.presignedUrl, content)).toBe(204)
  return announced.file
}

async function list(path: string, query = ""): Promise<File[]> {
  return (await server.send("GET", `${path}${query}`)).body.files as File[]
}

/** As if it were later. */
async function letPass(): Promise<void> {
  await database.pool.query(
    "update author_files set open_until = now() - interval '1 s' where open_until is not null",
  )
  await runJob(database, "settle_files", { files: store })
}

describe("a file", () => {
  test("is uploaded once, and always served as the announced type", async () => {
    const { path } = await newBot()
    const { file, presignedUrl } = await announce(path, { ...png, fileSize: 100 })
    expect(await upload(presignedUrl, "<script>alert(1)</script>", "text/html")).toBe(204)
    expect(await upload(presignedUrl, "again")).toBe(409)
    const served = await fetch(here(file.url))
    expect(await served.text()).toBe("<script>alert(1)</script>")
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "access-control-allow-origin": "*",
    })
  })

  test.each([
    ["picture.webp", "image/webp", "image/webp"],
    ["sound.mp3", "audio/mpeg", "audio/mpeg"],
    ["clip.mp4", "", "video/mp4"],
    ["font.woff2", "application/octet-stream", "font/woff2"],
    ["font.ttf", "font/ttf", "font/ttf"],
    ["../../x.png", "image/png", "image/png"],
    ["prices.pdf", "application/pdf", "application/pdf"],
    ["letter.docx", "", "application/octet-stream"],
    ["notes.txt", "text/plain", "text/plain; charset=utf-8"],
  ])("%s of type %s is taken", async (fileName, fileType, type) => {
    const { path } = await newBot()
    const { file } = await announce(path, { fileName, fileType, fileSize: 5 })
    expect(file).toMatchObject({ name: fileName, type, bytes: 5 })
    expect(new URL(file.url).pathname).toMatch(/^\/files\/public\/[0-9a-f]{32}\/\w{32}\.\w+$/)
  })

  test.each([
    ["page.html", "text/html"],
    ["drawing.svg", "image/svg+xml"],
    ["drawing.svg", undefined],
    ["script.js", "application/javascript"],
    ["image.html", "image/x-unknown"],
    ["setup.exe", "application/x-executable"],
    ["data.xml", "application/xml"],
    ["none", undefined],
  ])("%s of type %s is not", async (fileName, fileType) => {
    const { path } = await newBot()
    const { status, body } = await announce(path, { fileName, fileType, fileSize: 5 })
    expect([status, body.reason]).toEqual([400, "FILE_TYPE_REFUSED"])
  })

  test("has no more bytes than announced, and none after its address has expired", async () => {
    const { path } = await newBot()
    const { file, presignedUrl } = await announce(path, { ...png, fileSize: 5 })
    expect(await upload(presignedUrl, "123456")).toBe(413)
    expect((await fetch(here(file.url))).status).toBe(404)
    const address = new URL(presignedUrl)
    for (const [name, value] of [
      ["max", "600"],
      ["expires", "1"],
    ] as const) {
      const forged = new URL(address)
      forged.searchParams.set(name, value)
      expect(await upload(forged.href, "12345")).toBe(403)
    }
    address.pathname = address.pathname.replace(/\/\w{4}/, "/../")
    expect(await upload(address.href, "12345")).toBeGreaterThanOrEqual(403)
    const large = await announce(path, { ...png, fileSize: 1_500_000_000 })
    expect(large.body.reason).toBe("FILE_TOO_LARGE")
  })
})

describe("files", () => {
  test("are listed page by page, those of the bot apart from those of its workspace", async () => {
    const { path, ofWorkspace } = await newBot()
    const files = [await kept(path), await kept(path), await kept(path)].toReversed()
    const shared = await kept(ofWorkspace)
    expect((await list(path)).map(({ id }) => id)).toEqual(files.map(({ id }) => id))
    expect((await list(ofWorkspace)).map(({ id }) => id)).toEqual([shared.id])
    const { body } = await server.send("GET", `${path}?limit=2`)
    const next = await list(path, `?limit=2&cursor=${body.nextCursor}`)
    expect(next.map(({ id }) => id)).toEqual([files[2]?.id])
    const foreign = await server.send("GET", `${ofWorkspace}?cursor=${body.nextCursor}`)
    expect(foreign.status).toBe(400)
  })

  test("are deleted by their owners, and not through another bot", async () => {
    const [one, other] = [await newBot(), await newBot()]
    const file = await kept(one.path)
    for (const path of [other.path, one.ofWorkspace, other.ofWorkspace])
      expect((await server.send("DELETE", `${path}/${file.id}`)).status).toBe(404)
    expect((await fetch(here(file.url))).status).toBe(200)
    expect((await server.send("DELETE", `${one.path}/${file.id}`)).status).toBe(200)
    expect((await fetch(here(file.url))).status).toBe(404)
    expect(await list(one.path)).toEqual([])
    expect((await server.send("DELETE", `${one.path}/${file.id}`)).status).toBe(404)
  })

  test("take no more room than their workspace has, its bots and what was announced counted", async () => {
    const { path, ofWorkspace } = await newBot()
    const half = { ...png, fileSize: 500_000 }
    const all = await Promise.all([path, ofWorkspace, path, path].map((at) => announce(at, half)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    expect(all.find(({ status }) => status === 409)?.body.reason).toBe("FILES_FULL")
    // Nothing came, and later nothing can.
    await letPass()
    expect(await list(path)).toEqual([])
    expect((await announce(path, half)).status).toBe(200)
  })

  test("that are deleted before they come count until they cannot come any more", async () => {
    const { path } = await newBot()
    const whole = { ...png, fileSize: 1_000_000 }
    const { file, presignedUrl } = await announce(path, whole)
    expect((await server.send("DELETE", `${path}/${file.id}`)).status).toBe(200)
    expect((await announce(path, whole)).status).toBe(409)
    expect(await upload(presignedUrl, bytes)).toBe(204)
    await letPass()
    expect((await fetch(here(file.url))).status).toBe(404)
    expect((await announce(path, whole)).status).toBe(200)
  })

  test("that came count as they are, and stay", async () => {
    const { path } = await newBot()
    const { file, presignedUrl } = await announce(path, { ...png, fileSize: 1_000_000 })
    await upload(presignedUrl, "12345")
    await letPass()
    expect(await list(path)).toEqual([{ ...file, bytes: 5 }])
    expect((await announce(path, { ...png, fileSize: 1_000_000 })).status).toBe(200)
    await letPass()
    expect((await fetch(here(file.url))).status).toBe(200)
  })

  test("come along with a copy of their bot as far as it shows them, and lint names the others", async () => {
    const { botId, path } = await newBot()
    const used = await kept(path)
    await kept(path)
    const theme = { chat: { hostAvatar: { url: used.url } } }
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { theme } } })
    const linted = await server.send("POST", "/api/v1/bots/lint", { body: { botId } })
    const findings = linted.body.findings as { rule: string; message: string }[]
    expect(findings.filter(({ rule }) => rule === "unused-file")).toMatchObject([
      { message: 'The file "logo.png" is not used', pointer: "" },
    ])
    const made = await server.send("POST", `/api/v1/bots/${botId}/duplicate`, { body: {} })
    const copy = made.body.bot as { id: string; theme: typeof theme }
    const { url } = copy.theme.chat.hostAvatar
    expect(url).not.toBe(used.url)
    const listed = await list(`/api/v1/bots/${copy.id}/files`)
    expect(listed).toMatchObject([{ name: "logo.png", url, bytes: Buffer.byteLength(bytes) }])
    await server.send("DELETE", `/api/v1/bots/${botId}`)
    expect(await (await fetch(here(url))).text()).toBe(bytes)
  })

  test("take no more room by copies of a bot, however many are made at once", async () => {
    const { botId, path, workspaceId } = await newBot()
    const { url } = await kept(path, "x".repeat(300_000))
    const theme = { chat: { hostAvatar: { url } } }
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { theme } } })
    const copy = () => server.send("POST", `/api/v1/bots/${botId}/duplicate`, { body: {} })
    const made = await Promise.all(Array.from({ length: 6 }, copy))
    const { rows } = await database.pool.query(
      "select sum(bytes)::int as bytes from author_files where workspace_id = $1",
      [workspaceId],
    )
    expect(rows[0].bytes).toBeLessThan(1_048_576)
    for (const { status, body } of made)
      expect([undefined, "FILES_FULL"], `${status}`).toContain(body.reason)
    expect((await copy()).status).toBe(200)
  })

  test("are made of data addresses when an import asks for that, as far as there is room", async () => {
    const { workspaceId } = await newBot()
    const of = (type: string, text: string) =>
      `data:${type};base64,${Buffer.from(text).toString("base64")}`
    const url = of("image/png", "x".repeat(600_000))
    const css = `@font-face { src: url(${of("font/woff2", "a font")}) }`
    const [script, drawing] = [of("text/html", "<script>"), of("image/svg+xml", "<svg/>")]
    const sent = {
      theme: { chat: { hostAvatar: { url }, guestAvatar: { url: drawing } }, customCss: css },
      icon: url,
      settings: { metadata: { imageUrl: script } },
      ...{ groups: [], events: [{ id: "s", type: "start", graphCoordinates: { x: 0, y: 0 } }] },
    }
    const store = (query: string) =>
      server.send("POST", `/api/v1/bots/import${query}`, { body: { workspaceId, bot: sent } })
    const { body } = await store("?storeDataUrls=true")
    const made = body.bot as typeof sent & { id: string }
    const { hostAvatar, guestAvatar } = made.theme.chat
    expect(await (await fetch(here(hostAvatar.url))).text()).toBe("x".repeat(600_000))
    expect(made.icon).toBe(hostAvatar.url)
    expect(made.theme.customCss).toMatch(/url\(http[^ ]+\.woff2\)/)
    expect([guestAvatar.url, made.settings.metadata.imageUrl]).toEqual([drawing, script])
    const listed = await list(`/api/v1/bots/${made.id}/files`)
    expect(listed.toSorted((a, b) => a.bytes - b.bytes)).toMatchObject([
      { name: expect.stringMatching(/^font-\d\.woff2$/), type: "font/woff2", bytes: 6 },
      { name: expect.stringMatching(/^image-\d\.png$/), type: "image/png", bytes: 600_000 },
    ])
    // There is no room for another picture, so it stays where it is, as without the wish.
    const full = (await store("?storeDataUrls=true")).body.bot as typeof made
    expect(full.theme.chat.hostAvatar.url).toBe(url)
    const plain = (await store("")).body.bot as typeof made
    expect(await list(`/api/v1/bots/${plain.id}/files`)).toEqual([])
  })

  test("are not made of data addresses in an invalid bot", async () => {
    const { workspaceId } = await newBot()
    const url = `data:image/png;base64,${Buffer.from("a picture").toString("base64")}`
    const bot = { version: "5", groups: [], icon: url }
    const before = await readdir(folder, { recursive: true })
    const sent = { workspaceId, bot, storeDataUrls: true }
    const { status, body } = await server.send("POST", "/api/v1/bots/import", { body: sent })
    expect([status, body.detail]).toEqual([400, expect.stringContaining("start event is missing")])
    expect(await readdir(folder, { recursive: true })).toEqual(before)
  })

  test("go with their bot and with their workspace", async () => {
    const { botId, workspaceId, path, ofWorkspace } = await newBot()
    const [own, shared] = [await kept(path), await kept(ofWorkspace)]
    // In the bin it keeps them, because it may be restored.
    await server.send("DELETE", `/api/v1/bots/${botId}`)
    expect((await fetch(here(own.url))).status).toBe(200)
    await server.send("DELETE", `/api/v1/bots/${botId}?permanently=true`)
    expect((await fetch(here(own.url))).status).toBe(404)
    const count = "select count(*)::int as n from author_files where workspace_id = $1"
    // What may still come is removed later.
    await letPass()
    expect((await database.pool.query(count, [workspaceId])).rows).toEqual([{ n: 1 }])
    expect((await fetch(here(shared.url))).status).toBe(200)
    await server.send("DELETE", `/api/v1/workspaces/${workspaceId}`)
    expect((await fetch(here(shared.url))).status).toBe(404)
    expect((await database.pool.query(count, [workspaceId])).rows).toEqual([{ n: 0 }])
  })

  test("do not come any more once their workspace is gone", async () => {
    const { workspaceId, path, ofWorkspace } = await newBot()
    const before = await readdir(folder, { recursive: true })
    const size = { ...png, fileSize: Buffer.byteLength(bytes) }
    const announced = [await announce(path, size), await announce(ofWorkspace, size)]
    await server.send("DELETE", `/api/v1/workspaces/${workspaceId}`)
    for (const { presignedUrl, file } of announced) {
      expect(await upload(presignedUrl, bytes)).toBe(403)
      expect((await fetch(here(file.url))).status).toBe(404)
    }
    const isFile = (name: string) => name.endsWith(".png")
    const after = await readdir(folder, { recursive: true })
    expect(after.filter(isFile)).toEqual(before.filter(isFile))
  })

  test("go with their workspace when that is deleted again, after the store was away", async () => {
    const { workspaceId, path, ofWorkspace } = await newBot()
    const files = [await kept(path), await kept(ofWorkspace)]
    const [stored, away] = [join(folder, "files"), join(folder, "away")]
    const remove = () => server.send("DELETE", `/api/v1/workspaces/${workspaceId}`)
    await rename(stored, away)
    await writeFile(stored, "no folder")
    expect((await remove()).status).toBe(500)
    await rm(stored)
    await rename(away, stored)
    expect((await remove()).status).toBe(200)
    for (const { url } of files) expect((await fetch(here(url))).status).toBe(404)
  })
})
