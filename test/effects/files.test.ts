/** Tests that files are stored under names of ours, served safely, and read only by their own chat. */
import { readdir } from "node:fs/promises"
import { inflateSync } from "node:zlib"
import { describe, expect, test, vi } from "vitest"
import { deriveKey } from "../../src/effects/credentials/secret.ts"
import { createFileStore } from "../../src/effects/files/fileStore.ts"
import { createLocalStorage } from "../../src/effects/files/localStorage.ts"
import { createReadFile } from "../../src/effects/files/readFile.ts"
import { createQrCode } from "../../src/effects/qrCode.ts"
import { isFailure } from "../../src/engine/calls.ts"
import { contentOf } from "../support/files.ts"
import { testFolder } from "../support/testFolder.ts"
import { callContext, json, plainFetch, startPeer } from "./peer.ts"

const root = await testFolder()
const publicUrl = "https://chat.example"
const keys = [deriveKey("a secret that only tests know of", "files")]
const folderKey = Buffer.alloc(32, 2)
const storage = createLocalStorage(root)
const files = createFileStore({ storage, publicUrl, keys, folderKey })

const botId = "bot1"
const resultId = "0199aaaa-0000-7000-8000-00000000aaaa"
const owner = { botId, resultId }
const sibling = { botId, resultId: "0199aaaa-0000-7000-8000-00000000bbbb" }
const secret = { ...owner, isPrivate: true, extension: "pdf", maxBytes: 10 }
const bytes = Buffer.from("content")
const none = new URLSearchParams()

const split = (url: string) => {
  const { pathname, searchParams } = new URL(url)
  return { key: pathname.slice("/files/".length), query: searchParams }
}

async function upload(file: Parameters<typeof files.signUpload>[0], content: Uint8Array = bytes) {
  const signed = files.signUpload(file)
  const { key: name, query } = split(signed.presignedUrl)
  await files.admitUpload(name, query).keep(content)
  return { ...signed, key: name, query }
}

test("keeps a file under a random name with the extension that it was given", async () => {
  const [a, b] = await Promise.all(
    [1, 2].map(() => files.save(bytes, { ...owner, extension: "mp3" })),
  )
  expect(a).toMatch(
    /^https:\/\/chat\.example\/files\/public\/[0-9a-f]{32}\/[0-9a-f]{32}\/\w{32}\.mp3$/,
  )
  expect(a).not.toBe(b)
  const download = await files.download(split(a ?? "").key, none)
  expect(download).toMatchObject({ size: 7, contentType: "audio/mpeg", isInline: true })
  expect(await contentOf(download)).toBe("content")
})

test.each([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
])("reports missing room, and leaves nothing (%s)", async (code) => {
  const full = async function* () {
    yield bytes
    throw Object.assign(new Error("The disk takes no more"), { code })
  }
  const folder = "public/full/of"
  const written = storage.write(`${folder}/it.svg`, full())
  await expect(written).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  expect(await storage.measureFolder(folder)).toEqual({ files: 0, bytes: 0 })
})

test.each([
  "svg",
  "html",
  "js",
  "xml",
  "exe",
  "../../x",
])("gives out a file of the kind %s as bytes to keep, not to show", async (extension) => {
  const url = await files.save(bytes, { ...owner, extension })
  expect(await files.download(split(url).key, none)).toMatchObject({
    contentType: "application/octet-stream",
    isInline: false,
  })
})

test.each([
  "../secret",
  "public/bots/bot1/results/../../../../secret",
  "public/bots/bot1/results/r/x",
  "other/bots/b/x.txt",
  "",
])("has nothing under the key %j", async (name) => {
  expect(await files.download(name, none)).toBeUndefined()
  expect(() => files.admitUpload(name, none)).toThrow("not valid")
})

test("contains neither bot nor result, but finds the files by them", async () => {
  const strange = { botId: "../../etc", resultId }
  const { fileUrl } = await upload({ ...strange, extension: "txt", maxBytes: 10 })
  expect(await files.readOwn(fileUrl, [strange])).toMatchObject({ bytes })
  const uploads = [owner, { botId, resultId: sibling.resultId }, { botId }].map((file) =>
    files.signUpload({ ...file, extension: "txt", maxBytes: 10 }),
  )
  const folders = uploads.map((each) => new URL(each.fileUrl).pathname.split("/").slice(0, -1))
  expect(new Set(folders.map((parts) => parts.join("/"))).size).toBe(3)
  const others = createFileStore({ storage, publicUrl, keys, folderKey: Buffer.alloc(32, 3) })
  const elsewhere = others.signUpload({ ...owner, extension: "txt", maxBytes: 10 })
  for (const each of [...uploads, elsewhere, files.signUpload(secret)]) {
    expect(JSON.stringify(each)).not.toContain(resultId)
    expect(JSON.stringify(each)).not.toContain(resultId.slice(-12))
  }
  const folderOf = ({ fileUrl: url }: { fileUrl: string }) => url.slice(0, -36)
  expect(folderOf(elsewhere)).not.toBe(folderOf(uploads[0] ?? elsewhere))
})

describe("former addresses, which named bot, result and block,", () => {
  const name = `${"n".repeat(32)}.txt`
  const place = `bots/bot9/results/${resultId}/blocks/b1/${name}`
  const former = { botId: "bot9", resultId }
  const openUrl = `${publicUrl}/files/public/${place}`
  const closedUrl = `${publicUrl}/api/v1/bots/bot9/results/${resultId}/blocks/b1/${name}`
  const keep = () =>
    Promise.all(["public", "private"].map((access) => storage.write(`${access}/${place}`, bytes)))

  test("lead to their files as before", async () => {
    await keep()
    expect(await contentOf(await files.download(split(openUrl).key, none))).toBe("content")
    expect(await files.download(`private/${place}`, none)).toBeUndefined()
    const found = files.privatePathOf(new URL(closedUrl).pathname)
    expect(found).toEqual({ botId: "bot9", key: `private/${place}` })
    const leave = split(files.signDownload(found?.key ?? ""))
    expect(await contentOf(await files.download(leave.key, leave.query))).toBe("content")
    expect(await files.readOwn(openUrl, [{ ...former, resultId: "other" }])).toMatchObject({
      bytes,
    })
    expect(await files.readOwn(closedUrl, [former])).toMatchObject({ bytes })
    expect(await files.readOwn(closedUrl, [{ ...former, resultId: "other" }])).toBeUndefined()
    expect(await files.readOwn(openUrl, [{ ...former, botId: "other" }])).toBeUndefined()
  })

  test("lead nowhere once the result or the bot is deleted", async () => {
    for (const remove of [
      () => files.deleteResultFiles(former),
      () => files.deleteBotFiles("bot9"),
    ]) {
      await keep()
      await remove()
      expect(await storage.read(`public/${place}`)).toBeUndefined()
      expect(await storage.read(`private/${place}`)).toBeUndefined()
    }
  })
})

test("takes one upload per leave, of its size, for ten minutes", async () => {
  const file = { ...owner, extension: "png", maxBytes: 1234 }
  const { presignedUrl, fileUrl, formData, key: name, query } = await upload(file)
  expect(presignedUrl.startsWith(fileUrl)).toBe(true)
  expect(formData).toEqual({})
  const again = files.admitUpload(name, query)
  expect(again.maxBytes).toBe(1234)
  await expect(again.keep(bytes)).rejects.toThrow("uploaded already")
  vi.useFakeTimers({ now: Date.now() + 601_000 })
  expect(() => files.admitUpload(name, query)).toThrow("not valid")
  vi.useRealTimers()
})

test("refuses a leave that was changed or made for something else", async () => {
  const { presignedUrl, fileUrl } = files.signUpload({ ...owner, extension: "png", maxBytes: 10 })
  const { key: name, query } = split(presignedUrl)
  for (const [member, value] of [
    ["max", "1000000"],
    ["expires", "99999999999999"],
    ["signature", "x"],
  ]) {
    const changed = new URLSearchParams(query)
    changed.set(member ?? "", value ?? "")
    expect(() => files.admitUpload(name, changed)).toThrow("not valid")
  }
  const other = split(fileUrl).key.replace(/\w+\.png$/, `${"a".repeat(32)}.png`)
  expect(() => files.admitUpload(other, query)).toThrow("not valid")
  const download = split(files.signDownload(name))
  expect(() => files.admitUpload(name, download.query)).toThrow("not valid")
})

test("gives out a private file with a fresh leave alone", async () => {
  const { key: name, query, fileUrl } = await upload(secret)
  expect(fileUrl).toMatch(
    /^https:\/\/chat\.example\/api\/v1\/bots\/bot1\/files\/[0-9a-f]{32}\/\w{32}\.pdf$/,
  )
  const { pathname } = new URL(fileUrl)
  expect(files.privatePathOf(pathname)).toEqual({ botId, key: name })
  expect(files.privatePathOf(pathname.replace("bot1", "bot2"))?.key).not.toBe(name)
  expect(await files.download(name, none)).toBeUndefined()
  expect(await files.download(name, query)).toBeUndefined()
  const leave = split(files.signDownload(name))
  expect(await contentOf(await files.download(name, leave.query))).toBe("content")
  vi.useFakeTimers({ now: Date.now() + 301_000 })
  expect(await files.download(name, leave.query)).toBeUndefined()
  vi.useRealTimers()
})

test("takes what former secrets have signed, and what processes that begin to use a new one sign", async () => {
  const [former, fresh] = ["former", "fresh"].map((name) => deriveKey(name, "files")) as [
    Buffer,
    Buffer,
  ]
  const storeWith = (...all: Buffer[]) =>
    createFileStore({ storage, publicUrl, keys: all, folderKey })
  // In this order a secret is replaced while several processes serve.
  const steps = [[former], [former, fresh], [fresh, former], [fresh]].map((all) =>
    storeWith(...all),
  )
  for (const [index, signer] of steps.entries()) {
    const { key: name, query } = split(signer.signUpload(secret).presignedUrl)
    for (const other of [steps[index - 1], signer, steps[index + 1]]) {
      if (other) expect(other.admitUpload(name, query)).toMatchObject({ maxBytes: 10 })
    }
  }
  const { key: name, query } = split(storeWith(former).signUpload(secret).presignedUrl)
  expect(() => storeWith(fresh).admitUpload(name, query)).toThrow("not valid")
})

test("reads for a chat its own files and the bot's public ones, never those of others", async () => {
  const open = await upload({ ...owner, extension: "txt", maxBytes: 10 })
  const closed = await upload(secret)
  const stranger = { botId: "bot2", resultId }
  expect(await files.readOwn(open.fileUrl, [sibling])).toMatchObject({ bytes })
  expect(await files.readOwn(closed.fileUrl, [owner])).toMatchObject({ bytes })
  expect(await files.readOwn(closed.fileUrl, [sibling])).toBeUndefined()
  expect(await files.readOwn(closed.fileUrl, [{ botId }])).toBeUndefined()
  expect(await files.readOwn(open.fileUrl, [stranger])).toBeUndefined()
  expect(await files.readOwn("https://chat.example.evil/files/x", [owner])).toBeUndefined()
  expect(await files.readOwn(open.fileUrl.replace("https", "http"), [owner])).toBeUndefined()
})

test("gets files of others through the network, as far as that is allowed", async () => {
  const peer = await startPeer()
  const readFile = createReadFile({ files, fetch: plainFetch })
  const context = callContext({ botId, resultId })
  const { fileUrl } = await upload({ ...owner, extension: "txt", maxBytes: 10 })
  const own = { maxBytes: 100, isOwnOnly: true }
  expect(await readFile(fileUrl, context, own)).toMatchObject({ bytes, contentType: /text/ })
  expect(await readFile(fileUrl, context, { maxBytes: 3 })).toMatchObject({ failed: true })
  expect(await readFile(`${peer.url}/a b.txt`, context, own)).toMatchObject({ failed: true })
  expect(peer.received).toEqual([])
  peer.answers(json({ a: 1 }))
  expect(await readFile(`${peer.url}/a%20b.txt`, context, { maxBytes: 100 })).toMatchObject({
    bytes: Buffer.from('{"a":1}'),
    contentType: "application/json",
    name: "a_20b.txt",
  })
  expect(await readFile(peer.url, context, { maxBytes: 3 })).toMatchObject({ failed: true })
  peer.answers((response) => response.writeHead(404).end())
  expect(await readFile(peer.url, context, { maxBytes: 3 })).toMatchObject({ status: 404 })
})

test.each([
  ["media/1234", "audio/ogg; codecs=opus", "1234.ogg"],
  ["clip.weird", "audio/mpeg", "clip.weird"],
  ["", "audio/mpeg", "file.mp3"],
  ["media/1234", "application/octet-stream", "1234"],
])("names the file at %j, of type %s, %s", async (path, type, name) => {
  const peer = await startPeer()
  peer.answers((response) => response.writeHead(200, { "content-type": type }).end("a"))
  const readFile = createReadFile({ files, fetch: plainFetch })
  const file = await readFile(`${peer.url}/${path}`, callContext({ botId }), { maxBytes: 9 })
  expect(file).toMatchObject({ name })
})

test("removes a folder into which files still come", async () => {
  for (let round = 0; round < 60; round++) {
    const file = { botId: "busy", resultId: `r${round}`, extension: "txt" }
    const coming = Array.from({ length: 12 }, () => files.save(bytes, file))
    // Some of them lose their folder.
    const settled = Promise.allSettled(coming)
    await files.deleteBotFiles("busy")
    await settled
  }
  await files.deleteBotFiles("busy")
})

test("removes the files of a result, of a bot, and of old previews", async () => {
  const [a, b] = ["r1", "r2"]
  const save = (file: { botId: string; resultId?: string; isPrivate?: boolean }) =>
    files.save(bytes, { ...file, extension: "txt" })
  await save({ botId: "gone", resultId: a })
  await save({ botId: "gone", resultId: a, isPrivate: true })
  await save({ botId: "gone", resultId: b })
  await save({ botId: "gone" })
  const count = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length
  const others = (await count()) - 4
  const found = async () => (await count()) - others
  await files.deleteResultFiles({ botId: "gone", resultId: a ?? "" })
  expect(await found()).toBe(2)
  await files.deleteBotFiles("gone")
  expect(await found()).toBe(1)
  await files.purgePreviewFiles(new Date())
  expect(await found()).toBe(1)
  await files.purgePreviewFiles(new Date(Date.now() + 86_400_000))
  expect(await found()).toBe(0)
  await files.deleteBotFiles("gone")
})

test("draws a QR code that reads as its text", async () => {
  const { default: decodeQR } = await import("qr/decode.js")
  const outcome = await createQrCode(files)(
    { kind: "qrCode", text: "https://example.com/ä" },
    callContext(owner),
  )
  if (isFailure(outcome)) throw new Error(outcome.description)
  expect(outcome.url).toMatch(/\.png$/)
  const png = await files.readOwn(outcome.url, [owner])
  expect(decodeQR(pixelsOf(Buffer.from(png?.bytes ?? [])))).toBe("https://example.com/ä")
})

test("draws no QR code of nothing, of too much, or for an anonymous preview", async () => {
  const draw = (text: string, isRestricted = false) =>
    createQrCode(files)({ kind: "qrCode", text }, callContext({ ...owner, isRestricted }))
  expect(await draw("")).toMatchObject({ failed: true })
  expect(await draw("x".repeat(2_332))).toMatchObject({ failed: true })
  expect(await draw("x".repeat(2_331))).toHaveProperty("url")
  expect(await draw("x", true)).toMatchObject({ failed: true })
})

/** The pixels of a PNG of one bit per pixel, as RGBA. */
function pixelsOf(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const packed = png.subarray(41, 41 + png.readUInt32BE(33))
  const lines = inflateSync(packed)
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  const stride = 1 + Math.ceil(width / 8)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isWhite = ((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      data.fill(isWhite ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { width, height, data }
}
