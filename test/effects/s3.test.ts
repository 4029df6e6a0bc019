/** Tests files in a bucket: written once, served from temporary addresses, removed by folder. */
import { expect, onTestFinished, test } from "vitest"
import { deriveKey } from "../../src/effects/credentials/secret.ts"
import { createFileStore } from "../../src/effects/files/fileStore.ts"
import { createS3Storage } from "../../src/effects/files/s3Storage.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { whileCollecting } from "../support/heap.ts"
import { startObjectStore } from "../support/objectStore.ts"
import { startPeer } from "./peer.ts"

const { objects, bucket, listsOnPage } = await startObjectStore()
const storage = createS3Storage(bucket)
const publicUrl = "https://chat.example"
const keys = [deriveKey("s".repeat(32), "files")]
const files = createFileStore({ storage, publicUrl, keys, folderKey: Buffer.alloc(32, 2) })
const owner = { botId: "bot1", resultId: "r1" }
const bytes = Buffer.from("content")

test("keeps a file once under its key, with the type that it is given out as", async () => {
  expect(await storage.write("public/a.svg", bytes)).toBe(true)
  expect(await storage.write("public/a.svg", Buffer.from("other"))).toBe(false)
  expect(objects.get("public/a.svg")).toEqual({ text: "content", type: "application/octet-stream" })
  expect(Buffer.from((await storage.read("public/a.svg")) ?? []).toString()).toBe("content")
  expect(await storage.measure("public/a.svg")).toBe(7)
  await storage.delete("public/a.svg")
  expect(await storage.measure("public/a.svg")).toBeUndefined()
  await storage.delete("public/a.svg")
  await storage.write("public/a.svg", bytes)
  expect(await storage.read("public/b.svg")).toBeUndefined()
})

test("takes a stream as it comes, once, also where the store ignores conditions", async () => {
  const careless = await startObjectStore({ ignoresConditions: true })
  const into = createS3Storage(careless.bucket)
  const parts = async function* (text: string) {
    for (const part of text.split(" ")) yield Buffer.from(part)
  }
  expect(await into.write("public/a.txt", parts("some bytes"))).toBe(true)
  expect(careless.objects.get("public/a.txt")?.text).toBe("somebytes")
  const put = careless.peer.received.find(({ method }) => method === "PUT")
  expect(put?.headers).toMatchObject({ "content-length": "9" })
  expect(await into.write("public/a.txt", parts("other bytes"))).toBe(false)
  expect(careless.objects.get("public/a.txt")?.text).toBe("somebytes")
  const broken = async function* () {
    yield Buffer.from("half")
    throw new Error("gone")
  }
  await expect(into.write("public/b.txt", broken())).rejects.toThrow("gone")
  expect(careless.objects.has("public/b.txt")).toBe(false)
})

test("leads readers to an address of the bucket that expires", async () => {
  const url = await files.save(bytes, { ...owner, extension: "svg" })
  const key = url.slice(`${publicUrl}/files/`.length)
  const download = await files.download(key, new URLSearchParams())
  if (!download || !("redirectTo" in download)) throw new Error("no redirect")
  const { pathname, searchParams } = new URL(download.redirectTo)
  expect(pathname).toBe(`/bucket/${key}`)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    "X-Amz-Expires": "300",
    "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    "response-content-type": "application/octet-stream",
    "response-content-disposition": "attachment",
  })
  expect(await files.readOwn(url, [owner])).toMatchObject({ key })
})

test("removes a result's files and the previews of earlier days", async () => {
  objects.clear()
  await files.save(bytes, { ...owner, extension: "txt" })
  await files.save(bytes, { botId: "bot1", resultId: "r2", extension: "txt" })
  await files.save(bytes, { botId: "bot1", extension: "txt" })
  const [, second, preview] = objects.keys()
  await files.deleteResultFiles(owner)
  expect([...objects.keys()]).toEqual([second, preview])
  await files.purgePreviewFiles(new Date(Date.now() + 86_400_000))
  expect([...objects.keys()]).toHaveLength(1)
  await files.deleteBotFiles("bot1")
  expect([...objects.keys()]).toEqual([])
})

test("removes all files of a folder that a store lists on pages of its own size", async () => {
  objects.clear()
  listsOnPage(2)
  onTestFinished(() => {
    listsOnPage(1_000)
  })
  for (let count = 0; count < 5; count++) await files.save(bytes, { ...owner, extension: "txt" })
  await files.deleteResultFiles(owner)
  expect([...objects.keys()]).toEqual([])
})

test("does not wait for ever for a store that has taken a request and says nothing", async () => {
  const silent = await startPeer()
  silent.answers(() => {})
  const hanging = createS3Storage({ ...bucket, endpoint: silent.url }, { requestMs: 1_000 })
  const late = { cause: { name: "TimeoutError" } }
  const writing = whileCollecting(hanging.write("public/a.svg", bytes))
  await expect(writing).rejects.toMatchObject(late)
  silent.answers((response) => void response.writeHead(200).write("half"))
  const reading = whileCollecting(hanging.read("public/a.svg"))
  await expect(reading).rejects.toMatchObject(late)
})

test("asks a store that has too much to do again", async () => {
  const busy = await startPeer()
  busy.answers(
    (response) => void response.writeHead(503).end("Slow down"),
    (response) => void response.writeHead(429).end(),
    (response) => void response.writeHead(200).end("content"),
  )
  const again = createS3Storage({ ...bucket, endpoint: busy.url })
  expect(Buffer.from((await again.read("public/a.svg")) ?? []).toString()).toBe("content")
})

test("says that a store which fails or is not there cannot be used now", async () => {
  const failing = await startPeer()
  failing.answers((response) => void response.writeHead(507).end())
  for (const endpoint of [failing.url, "http://127.0.0.1:1"]) {
    const broken = createS3Storage({ ...bucket, endpoint })
    const refusal = await broken.measure("public/a.svg").catch(describeRefusal)
    expect(refusal).toMatchObject({ status: 503, data: { retryAfter: 10 } })
  }
})
