/** Uploads with an object store end with what they belong to, as on the local disk. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { startObjectStore } from "../support/objectStore.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const { objects, bucket } = await startObjectStore({ ignoresConditions: true })
const server = await testServer({
  PARLEY_S3_ENDPOINT: bucket.endpoint,
  PARLEY_S3_BUCKET: bucket.name,
  PARLEY_S3_ACCESS_KEY_ID: bucket.accessKeyId,
  PARLEY_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
})
const [{ id: workspaceId = "" } = {}] = (await server.send("GET", "/api/v1/workspaces")).body
  .workspaces as { id: string }[]

type Form = { presignedUrl: string; formData: Record<string, string> }

async function send({ presignedUrl, formData }: Form, text: string): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(formData)) form.append(name, value)
  form.append("file", new Blob([text]), "a.png")
  const { pathname, search } = new URL(presignedUrl)
  const url = `${server.address}${pathname}${search}`
  return (await fetch(url, { method: "POST", body: form })).status
}

async function post(path: string, body: object) {
  const reply = await server.send("POST", `/api/v1${path}`, { body })
  expect(reply.status).toBe(200)
  return reply.body
}

/** A chat that has permission to upload a file. */
async function uploading(options: object = {}) {
  const { botId, publicId } = await publishBot(
    server,
    bot(group("A", ask.file({ id: "file", ...options }), ask.text())),
  )
  const chat = await chatOver(server, publicId)
  const { sessionId } = chat.step
  const form = await post("/generate-upload-url", { sessionId, blockId: "file", fileName: "a.png" })
  return { botId, form: form as Form & { fileUrl: string }, say: chat.say }
}

const texts = () => [...objects.values()].map(({ text }) => text)

test("the same form does not replace a file, before the answer and after it", async () => {
  objects.clear()
  const { form, say } = await uploading()
  expect(await send(form, "first")).toBe(204)
  expect(await send(form, "second")).toBe(409)
  await say(form.fileUrl)
  expect(await send(form, "third")).toBe(409)
  expect(texts()).toEqual(["first"])
})

test.each([
  ["its result is deleted", (botId: string) => `/api/v1/bots/${botId}/results?all=true`, {}],
  [
    "the private one of a result is deleted",
    (botId: string) => `/api/v1/bots/${botId}/results?all=true`,
    { visibility: "Private" },
  ],
])("a form is refused after %s, and a file that came before goes with it", async (_, path, options) => {
  objects.clear()
  const early = await uploading(options)
  expect(await send(early.form, "early")).toBe(204)
  await server.send("DELETE", path(early.botId))
  expect(texts()).toEqual([])
  expect(await send(early.form, "late")).toBe(403)
  const late = await uploading(options)
  await server.send("DELETE", path(late.botId))
  expect(await send(late.form, "late")).toBe(403)
  expect(texts()).toEqual([])
})

test("announced files of a deleted workspace are refused", async () => {
  objects.clear()
  const { workspace } = await post("/workspaces", { name: "Gone" })
  const { id } = workspace as { id: string }
  const announced = { fileName: "a.png", fileSize: 5 }
  const own = await post(`/workspaces/${id}/files`, announced)
  const early = own as unknown as Form
  await server.send("DELETE", `/api/v1/workspaces/${id}`)
  expect(await send(early, "late")).toBe(403)
  const kept = (await post(`/workspaces/${workspaceId}/files`, announced)) as unknown as Form
  expect(await send(kept, "early")).toBe(204)
  expect(await send(kept, "later")).toBe(409)
  expect(texts()).toEqual(["early"])
})

test("no form of the object store itself is given out", async () => {
  const { form } = await uploading()
  expect(new URL(form.presignedUrl).origin).toBe(new URL(form.fileUrl).origin)
  expect(JSON.stringify(form)).not.toContain(bucket.endpoint)
})
