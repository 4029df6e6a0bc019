/** Exports and files over the client: streamed, given up, refused, and never from another service. */
import { describe, expect, expectTypeOf, test, vi } from "vitest"
import type { z } from "zod"
import {
  createParleyClient,
  type ExportRequest,
  isParleyError,
  type ParleyClient,
  type ParleyError,
} from "../../src/client.ts"
import type { exportInputSchema } from "../../src/routers/result/exportOperation.ts"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { server, waiting } from "../support/uploads.ts"

/** A client, and what it sends where. */
function watched(token?: string) {
  const sent: { to: string; token: string | null }[] = []
  const parley = createParleyClient({
    url: server.address,
    ...(token && { token }),
    fetch: (input, init) => {
      sent.push({ to: String(input), token: new Headers(init?.headers).get("authorization") })
      return fetch(input, init)
    },
  })
  return { parley, sent }
}

const { parley } = watched(server.token)

async function errorOf(work: Promise<unknown>): Promise<ParleyError> {
  const error = await work.catch((each: unknown) => each)
  if (!isParleyError(error)) throw new Error("There is no error of Parley", { cause: error })
  return error
}

/** A client whose exports are this body. */
function answering(body: ReadableStream<Uint8Array>): ParleyClient {
  return createParleyClient({ url: "https://parley.test", fetch: async () => new Response(body) })
}

describe("an export", async () => {
  const { botId, publicId } = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
  for (const name of ["Ann", "Bob"]) await (await chatOver(server, publicId)).say(name)

  test("is a table or lines, filtered as the list is, and reports how much has come", async () => {
    const heard: number[] = []
    const onProgress = (bytes: number) => void heard.push(bytes)
    const csv = await parley.exportResults({ botId }, { onProgress })
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const bytes = await csv.arrayBuffer()
    expect(new TextDecoder().decode(bytes).trim().split("\r\n")).toHaveLength(3)
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
    expect(heard.at(-1)).toBe(bytes.byteLength)
    const asked = { botId, format: "ndjson", search: "Bob", status: undefined } as const
    const lines = await (await parley.exportResults(asked)).text()
    expect(JSON.parse(lines).answers).toMatchObject([{ content: "Bob" }])
  })

  test("takes what the service takes", () => {
    type Taken = z.input<typeof exportInputSchema>
    expectTypeOf<Required<ExportRequest>>().toEqualTypeOf<Required<Taken>>()
  })

  test("is refused as calls are", async () => {
    const refusals = async (client: ParleyClient, request: ExportRequest) => {
      const [own, calls] = await Promise.all([
        errorOf(client.exportResults(request)),
        errorOf(client.result.list.query(request)),
      ])
      expect(own).toMatchObject({ message: calls.message, name: calls.name })
      const { requestId, ...data } = own.data ?? {}
      expect(requestId).toMatch(/./)
      const { requestId: _, ...other } = calls.data ?? {}
      expect([own.shape?.code, data]).toEqual([calls.shape?.code, other])
      return own.data?.reason
    }
    expect(await refusals(parley, { botId: "none" })).toBe("NOT_FOUND")
    expect(await refusals(watched().parley, { botId })).toBe("UNAUTHORIZED")
    const both = { botId, timeFilter: "today", from: "2026-01-01" } as const
    expect(await refusals(parley, both)).toBe("BAD_REQUEST")
  })

  test("is read from the service no faster than it is read here, and let go when it is given up", async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new Uint8Array(1_000)),
    )
    const cancel = vi.fn()
    const source = new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
    const { body } = await answering(source).exportResults({ botId })
    const reader = body?.getReader()
    expect(pull).toHaveBeenCalledTimes(0)
    for (let piece = 1; piece <= 3; piece++) {
      await reader?.read()
      expect(pull).toHaveBeenCalledTimes(piece)
    }
    await reader?.cancel("enough")
    expect(cancel).toHaveBeenCalledWith("enough")
  })

  test("fails with a sentence when its connection is lost", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(5))
      },
      pull: (controller) => controller.error(new TypeError("terminated")),
    })
    const response = await answering(body).exportResults({ botId })
    expect((await errorOf(response.text())).message).toBe(
      "The connection was lost after 5 bytes: the rest is missing",
    )
  })

  test("fails as it was given up, before it begins and while it is read", async () => {
    const gone = errorOf(parley.exportResults({ botId }, { signal: AbortSignal.abort() }))
    expect((await gone).cause).toMatchObject({ name: "AbortError" })
    const leaving = new AbortController()
    const { signal } = leaving
    const response = await parley.exportResults({ botId }, { signal })
    leaving.abort()
    expect((await errorOf(response.text())).cause).toMatchObject({ name: "AbortError" })
  })

  test("names what answers in place of the service", async () => {
    const fetch = async () => new Response("<html>Bad gateway</html>", { status: 502 })
    const { exportResults } = createParleyClient({ url: "https://parley.test", fetch })
    const error = await errorOf(exportResults({ botId }))
    expect(error.message).toBe("An answer of status 502 did not come from Parley")
  })
})

const picture = new File(["bytes"], "logo.png", { type: "image/png" })

describe("a file", () => {
  test("of authors is uploaded for a bot or a workspace, and read again", async () => {
    const { botId } = await publishBot(server, bot(group("A", ask.text())))
    const { workspaces } = await parley.workspace.list.query()
    const workspaceId = workspaces[0]?.id ?? ""
    for (const owner of [{ botId }, { workspaceId }]) {
      const { url, type, id } = await parley.uploadFile(owner, picture)
      const { files } =
        owner.botId === undefined
          ? await parley.file.listOfWorkspace.query({ workspaceId })
          : await parley.file.listOfBot.query({ botId })
      expect(files).toMatchObject([{ id, url, type, name: "logo.png", bytes: 5 }])
      const heard: number[] = []
      const onProgress = (bytes: number) => void heard.push(bytes)
      const file = await parley.downloadFile(url, { onProgress })
      expect([await file.text(), file.headers.get("content-type")]).toEqual(["bytes", "image/png"])
      expect(heard.at(-1)).toBe(5)
    }
  })

  test("of a visitor is sent as an answer, and read with a token, which the store never gets", async () => {
    const { asked, say } = await waiting({ visibility: "Private" })
    const visitor = watched()
    const { url, id } = await visitor.parley.uploadFile({ sessionId: asked.sessionId }, picture)
    expect(id).toBeUndefined()
    await say(url)
    const reader = watched(server.token)
    expect(await (await reader.parley.downloadFile(url)).text()).toBe("bytes")
    expect(reader.sent.map(({ token }) => token)).toEqual([`Bearer ${server.token}`, null])
    expect((await errorOf(visitor.parley.downloadFile(url))).data?.reason).toBe("UNAUTHORIZED")
  })

  test("that the service refuses fails with the reason", async () => {
    const { asked } = await waiting()
    const empty = errorOf(parley.uploadFile({ sessionId: asked.sessionId }, new File([], "a.png")))
    expect((await empty).message).toBe("The file is empty")
    const page = new File(["<html>"], "page.html", { type: "text/html" })
    const { botId } = await publishBot(server, bot(group("A", ask.text())))
    expect((await errorOf(parley.uploadFile({ botId }, page))).data?.reason).toBe(
      "FILE_TYPE_REFUSED",
    )
    const signal = AbortSignal.abort()
    const gone = errorOf(parley.uploadFile({ botId }, picture, { signal }))
    expect((await gone).cause).toMatchObject({ name: "AbortError" })
  })

  test("that is elsewhere is followed by browsers, which do not show programs where it leads", async () => {
    const hidden = Object.defineProperty(new Response(), "type", { value: "opaqueredirect" })
    const { downloadFile } = createParleyClient({
      url: "https://parley.test",
      fetch: async (_, init) => (init?.redirect === "manual" ? hidden : new Response("bytes")),
    })
    expect(await (await downloadFile("/files/public/a/b.png")).text()).toBe("bytes")
  })

  test("is read from this service alone, whatever a visitor has answered", async () => {
    const { parley, sent } = watched(server.token)
    const { data } = await errorOf(parley.downloadFile("https://evil.test/x/files/public/a/b.png"))
    expect(data?.reason).toBe("NOT_FOUND")
    expect(sent.map(({ to }) => to)).toEqual([`${server.address}/files/public/a/b.png`])
    for (const path of [
      "/",
      "/api/v1/bots/b",
      "/api/v1/bots/b/results/export",
      "/api/v1/bots/b/files/../results/export",
      "/api/v1/bots/b/files/%2e%2e/results/export",
      "/files/public/../../api/v1/users/me",
    ]) {
      await expect(parley.downloadFile(`${server.address}${path}`)).rejects.toThrow(
        "is not the address of a file",
      )
    }
    expect(sent).toHaveLength(1)
  })
})
