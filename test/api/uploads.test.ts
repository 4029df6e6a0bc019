/** End users upload files for the input that waits; private ones are for those who may read the result. */
import { describe, expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot, type Step, textsOf } from "../support/publish.ts"
import {
  fileFlow,
  here,
  type Prepared,
  prepare,
  publicUrl,
  server,
  upload,
  waiting,
} from "../support/uploads.ts"

test.each(["v1", "v2", "v3"])("a file is uploaded and sent as a reply (%s)", async (version) => {
  const { asked, say: reply } = await waiting()
  const { status, body } = await prepare({ ...asked, fileSize: 5 }, version)
  expect([status, body.fileType, body.maxFileSize]).toEqual([200, "image/png", 1])
  const prepared = body as Prepared
  const sent = await upload(prepared, "bytes")
  expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([204, "*"])
  expect((await upload(prepared, "other")).status).toBe(409)
  expect(textsOf((await reply(prepared.fileUrl)).body)).toEqual([`Got ${prepared.fileUrl}`])
  const got = await fetch(here(prepared.fileUrl))
  expect(await got.text()).toBe("bytes")
  expect(got.headers.get("content-type")).toBe("image/png")
  expect(got.headers.get("x-content-type-options")).toBe("nosniff")
  expect(got.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
})

test("a table is accepted under any type that browsers name", async () => {
  const tables = { allowedFileTypes: { isEnabled: true, types: [".csv"] } }
  const { asked, say: reply } = await waiting(tables)
  const fileType = "application/vnd.ms-excel"
  const { body } = await prepare({ ...asked, fileName: "Sales.CSV", fileType })
  const prepared = body as Prepared
  expect(prepared.fileType).toBe("text/csv; charset=utf-8")
  expect((await upload(prepared, "a,b")).status).toBe(204)
  expect(textsOf((await reply(prepared.fileUrl)).body)).toEqual([`Got ${prepared.fileUrl}`])
})

test("a client that does not say which block waits uploads for the one that does", async () => {
  const { asked, say: reply } = await waiting()
  const { blockId: _, ...file } = asked
  expect((await prepare(file)).status).toBe(200)
  await reply("https://e.com/a.png")
  expect((await prepare(file)).status).toBe(400)
})

test("no address of a file reveals the result id, by which a visitor returns", async () => {
  const { asked, step, botId } = await waiting()
  const { body } = await prepare(asked)
  for (const id of [step.resultId, step.resultId.replaceAll("-", ""), botId, "blocks"]) {
    expect(JSON.stringify(body)).not.toContain(id)
  }
})

test("the body may be the file itself", async () => {
  const { asked } = await waiting()
  const { body } = await prepare(asked)
  const prepared = body as Prepared
  expect((await upload(prepared, "", { method: "PUT", body: "plain" })).status).toBe(204)
  expect(await (await fetch(here(prepared.fileUrl))).text()).toBe("plain")
})

test("players get the part that they ask for", async () => {
  const { asked } = await waiting()
  const { body } = await prepare(asked)
  const prepared = body as Prepared
  await upload(prepared, "0123456789")
  const part = async (range: string) => {
    const response = await fetch(here(prepared.fileUrl), { headers: { range } })
    return [response.status, await response.text(), response.headers.get("content-range")]
  }
  expect(await part("bytes=2-4")).toEqual([206, "234", "bytes 2-4/10"])
  expect(await part("bytes=7-")).toEqual([206, "789", "bytes 7-9/10"])
  expect(await part("bytes=-2")).toEqual([206, "89", "bytes 8-9/10"])
  expect(await part("bytes=20-30")).toEqual([416, "", "bytes */10"])
  expect((await part("lines=1-2"))[0]).toBe(200)
})

test("a page, a drawing or a script is only given out to be kept", async () => {
  for (const [fileName, fileType] of [
    ["a.html", "text/html"],
    ["a.svg", "image/svg+xml"],
    ["a.js", "application/javascript"],
    ["a.exe", ""],
  ]) {
    const { asked } = await waiting()
    const { body } = await prepare({ ...asked, fileName, fileType })
    const prepared = body as Prepared
    expect(prepared.fileType).toBe("application/octet-stream")
    await upload(prepared, "<script>")
    const { headers } = await fetch(here(prepared.fileUrl))
    expect(headers.get("content-type")).toBe("application/octet-stream")
    expect(headers.get("content-disposition")).toBe("attachment")
  }
})

describe("18.16 a file is not taken", () => {
  const refused = async (options: object, file: object, words: RegExp) => {
    const { asked } = await waiting(options)
    const { status, body } = await prepare({ ...asked, ...file })
    expect([status, body.message]).toEqual([400, expect.stringMatching(words)])
  }

  test("of a kind that the input does not allow, under any name", async () => {
    const images = { allowedFileTypes: { isEnabled: true, types: ["image/*"] } }
    await refused(images, { fileName: "a.png", fileType: "application/pdf" }, /kind/)
    await refused(images, { fileName: "a.pdf", fileType: undefined }, /kind/)
    const { asked } = await waiting(images)
    expect((await prepare({ ...asked, fileType: undefined })).status).toBe(200)
  })

  test("that is too large, as announced or in truth", async () => {
    await refused({}, { fileSize: 1024 * 1024 + 1 }, /at most 1 MB/)
    const { asked } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    const large = new Uint8Array(1024 * 1024 + 1)
    expect((await upload(prepared, large)).status).toBe(413)
    expect((await upload(prepared, "", { method: "PUT", body: large })).status).toBe(413)
    expect((await fetch(here(prepared.fileUrl))).status).toBe(404)
    expect((await upload(prepared, large.subarray(1))).status).toBe(204)
  })

  test("without a file in the form, or with a form that is none", async () => {
    const { asked } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    expect((await upload(prepared, "", { body: new FormData() })).status).toBe(400)
    const headers = { "content-type": "multipart/form-data; boundary=x" }
    expect((await upload(prepared, "", { body: "nonsense", headers })).status).toBe(400)
    expect((await upload(prepared, "")).status).toBe(400)
  })

  test("by an address that was changed", async () => {
    const { asked } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    const presignedUrl = prepared.presignedUrl.replace("max=1048576", "max=9948576")
    expect((await upload({ ...prepared, presignedUrl }, "x")).status).toBe(403)
  })

  test("at another block, in another state, or in no chat", async () => {
    const { asked, say: reply } = await waiting()
    expect((await prepare({ ...asked, blockId: "text" })).status).toBe(400)
    expect((await prepare({ ...asked, blockId: "nothing" })).status).toBe(400)
    expect((await prepare({ ...asked, sessionId: "unknown" })).status).toBe(404)
    await reply("https://e.com/a.png")
    expect((await prepare(asked)).status).toBe(400)
    expect((await prepare({ ...asked, blockId: "text" })).status).toBe(400)
  })

  test("in an anonymous preview, but not in one by the author", async () => {
    const { botId } = await publishBot(server, fileFlow())
    const start = async (token: string | null) => {
      const path = `/api/v1/bots/${botId}/preview/startChat`
      const { body } = await server.send("POST", path, { token, body: { bot: fileFlow() } })
      const { sessionId } = body as Step
      return prepare({ sessionId, blockId: "files", fileName: "a.png", fileType: "image/png" })
    }
    expect((await start(null)).status).toBe(403)
    const { status, body } = await start(server.token)
    expect([status, body.fileUrl]).toEqual([
      200,
      expect.stringContaining("/files/public/previews/"),
    ])
  })
})

test("a preview that is begun again under its id has all its uploads before it", async () => {
  const { botId } = await publishBot(server, fileFlow())
  const sessionId = "a-preview-of-an-author"
  const file = { sessionId, blockId: "files", fileName: "a.png", fileType: "image/png" }
  const begin = () =>
    server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, { body: { sessionId } })
  await begin()
  while ((await prepare(file)).status === 200);
  expect((await prepare(file)).status).toBe(429)
  await begin()
  expect((await prepare(file)).status).toBe(200)
})

test("a private file is for those who may read the result", async () => {
  const { asked, botId, step } = await waiting({ visibility: "Private" })
  const prepared = (await prepare(asked)).body as Prepared
  expect(prepared.fileUrl).toContain(`/api/v1/bots/${botId}/files/`)
  expect(JSON.stringify(prepared)).not.toContain(step.resultId)
  await upload(prepared, "private")
  const path = prepared.fileUrl.slice(publicUrl.length)
  expect((await server.send("GET", path, { token: null })).status).toBe(401)
  const wrong = `parley_pat_${"0".repeat(46)}`
  expect((await server.send("GET", path, { token: wrong })).status).toBe(401)
  const { status, headers } = await server.send("GET", path)
  expect(status).toBe(302)
  const location = headers.get("location") ?? ""
  expect(await (await fetch(here(location))).text()).toBe("private")
  const former = `/api/v1/bots/${botId}/results/${step.resultId}/blocks/-/a.txt`
  for (const each of [path, former]) {
    const { status } = await server.send("GET", each.replace(botId, "%00"))
    expect(status, each).toBe(400)
  }
  expect((await fetch(here(location.split("?")[0] ?? ""))).status).toBe(404)
  const other = path.replace(botId, "unknown")
  expect((await server.send("GET", other)).status).toBe(404)
  const { botId: own } = await publishBot(server, fileFlow())
  const led = await server.send("GET", path.replace(botId, own))
  expect((await fetch(here(led.headers.get("location") ?? ""))).status).toBe(404)
})

test("a private file is read by pages of allowed origins, and of no others", async () => {
  const { asked } = await waiting({ visibility: "Private" })
  const prepared = (await prepare(asked)).body as Prepared
  await upload(prepared, "private")
  const path = prepared.fileUrl.slice(publicUrl.length)
  const allowed = async (method: string, origin: string) => {
    const headers = { origin, "access-control-request-headers": "authorization" }
    const reply = await server.send(method, path, { headers })
    const names = ["access-control-allow-origin", "access-control-allow-headers"]
    return [reply.status, ...names.map((name) => reply.headers.get(name))]
  }
  const builder = "https://builder.example.com"
  expect(await allowed("OPTIONS", builder)).toEqual([204, builder, "authorization"])
  expect(await allowed("GET", builder)).toEqual([302, builder, null])
  expect(await allowed("OPTIONS", "https://other.example.com")).toEqual([204, null, null])
  const led = await server.send("GET", path, { headers: { origin: builder } })
  const readers = async (origin: string) => {
    const { headers } = await fetch(here(led.headers.get("location") ?? ""), {
      headers: { origin },
    })
    const names = ["access-control-allow-origin", "access-control-allow-credentials"]
    return names.map((name) => headers.get(name))
  }
  // Pages that send a cookie may read nothing that is for every page.
  expect(await readers(builder)).toEqual([builder, "true"])
  expect(await readers("https://other.example.com")).toEqual(["*", null])
})

test("a voice clip and attachments of a text input have rules of their own", async () => {
  const options = {
    audioClip: { isEnabled: true, visibility: "Private" },
    attachments: { isEnabled: true },
  }
  const { publicId } = await publishBot(
    server,
    bot(group("A", ask.text({ id: "text", ...options }))),
  )
  const { step } = await chatOver(server, publicId)
  const asked = { sessionId: step.sessionId, blockId: "text", fileName: "a" }
  const clip = await prepare({ ...asked, fileType: "audio/webm" })
  expect(clip.body.fileUrl).toContain("/api/v1/bots/")
  const picture = await prepare({ ...asked, fileType: "image/png" })
  expect(picture.body.fileUrl).toContain("/files/public/")
})

test("pages of other origins may look, upload and ask before", async () => {
  const preflight = await fetch(`${server.address}/files/x`, {
    method: "OPTIONS",
    headers: { "access-control-request-headers": "content-type" },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type")
  expect((await fetch(`${server.address}/files/x`)).status).toBe(404)
  expect((await fetch(`${server.address}/files/x`, { method: "DELETE" })).status).toBe(405)
})
