/** Versions over REST: comparing them, their numbers in paths, and the chats that run them. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const { send } = server

/** Asks twice, so that a chat is open in the middle. */
const asking = (text: string) =>
  bot(
    group(
      "A",
      say(text),
      ask.text(),
      say(`${text}, still`),
      ask.text(),
      say(`${text}, to the end`),
    ),
  )

async function newBot() {
  const { botId, publicId } = await publishBot(server, asking("one"))
  const path = `/api/v1/bots/${botId}`
  return {
    path,
    publicId,
    write: async (text: string) => {
      const { events, groups, edges } = asking(text)
      await send("PATCH", path, { body: { bot: { events, groups, edges } } })
    },
    get: async (query: string) => (await send("GET", path + query)).body,
    post: async (operation: string, body: object = {}) =>
      (await send("POST", `${path}/${operation}`, { body })).body,
  }
}

test("two versions are compared as changes and as a report", async () => {
  const { get, write, post } = await newBot()
  expect(await get("/diff")).toEqual({ changes: [] })
  await write("two")
  const { changes } = await get("/diff")
  expect(changes).toMatchObject([
    { kind: "changed", what: "block", before: "one", after: "two" },
    { kind: "changed", what: "block", before: "one, still", after: "two, still" },
    { kind: "changed", what: "block", before: "one, to the end", after: "two, to the end" },
  ])
  const { markdown } = await get("/diff?from=1&to=draft&format=markdown")
  expect(markdown).toContain("**3 changes**: 3 changed")
  expect(markdown).toContain("~~`one`~~ **`two`**")
  await post("publish")
  expect(await get("/diff?from=1&to=2")).toEqual({ changes })
  expect(await get("/diff?from=live&to=2")).toEqual({ changes: [] })
})

test("a side that is no version is refused with a sentence", async () => {
  const { get, post } = await newBot()
  expect(await get("/diff?from=latest")).toMatchObject({
    status: 400,
    issues: [{ path: ["from"], message: "must be the number of a version, `live` or `draft`" }],
  })
  expect(await get("/diff?to=7")).toMatchObject({ status: 404, message: "Version 7 not found" })
  expect(await get("/versions/7")).toMatchObject({ status: 404, message: "Version 7 not found" })
  const largest = await get("/versions/2147483647")
  expect(largest).toMatchObject({ status: 404, message: "Version 2147483647 not found" })
  for (const number of ["x", "0", "1.5", "99999999999"]) {
    const refused = await get(`/versions/${number}`)
    expect(refused).toMatchObject({ status: 400, issues: [{ path: ["number"] }] })
  }
  await post("unpublish")
  expect(await get("/diff")).toMatchObject({ status: 404, message: "Published bot not found" })
})

test("a version is read by its number in the path", async () => {
  const { get } = await newBot()
  expect(await get("/versions/1")).toMatchObject({ version: { number: 1, isLive: true, bot: {} } })
})

test("a note has at most 500 characters", async () => {
  const { post, get } = await newBot()
  expect(await post("publish", { note: "x".repeat(501) })).toMatchObject({ status: 400 })
  expect(await post("publish", { note: "x".repeat(500) })).toMatchObject({ version: 1 })
  expect(await post("publish", { note: null })).toMatchObject({ version: 1, versionNumber: 1 })
  expect(await post("publish", { note: " " })).toMatchObject({ version: 1 })
  const { publications } = await get("/publications")
  expect((publications as object[]).map((entry) => "note" in entry)).toEqual([
    false,
    false,
    true,
    false,
  ])
})

test("a chat ends on the version that it began on, even if another one goes live", async () => {
  const { publicId, write, post, get } = await newBot()
  const first = await chatOver(server, publicId)
  expect(textsOf(first.step)).toEqual(["one"])
  await write("two")
  await post("publish")
  const second = await chatOver(server, publicId)
  expect(textsOf((await first.say("x")).body)).toEqual(["one, still"])
  await post("rollback", { version: 1 })
  const third = await chatOver(server, publicId)
  await write("three")
  await post("restoreDraft", { version: 2 })
  await write("four")
  expect((await get("/versions")).versions).toMatchObject([
    { number: 3, isDraft: true, openChats: 0 },
    { number: 2, isLive: false, openChats: 1 },
    { number: 1, isLive: true, openChats: 2 },
  ])
  await post("unpublish")
  expect(textsOf((await first.say("x")).body)).toEqual(["one, to the end"])
  expect(textsOf(second.step)).toEqual(["two"])
  await second.say("x")
  expect(textsOf((await second.say("x")).body)).toEqual(["two, to the end"])
  expect(textsOf(third.step)).toEqual(["one"])
  await third.say("x")
  expect(textsOf((await third.say("x")).body)).toEqual(["one, to the end"])

  const ran = async (query = "") => {
    const { results } = await get(`/results?timeFilter=allTime${query}`)
    return (results as { id: string; versionNumber: number }[]).map((result) => [
      result.id,
      result.versionNumber,
    ])
  }
  const ids = [third, second, first].map(({ step }) => step.resultId)
  expect(await ran()).toEqual([
    [ids[0], 1],
    [ids[1], 2],
    [ids[2], 1],
  ])
  expect(await ran("&version=2")).toEqual([[ids[1], 2]])
  expect(await ran("&version=1&limit=1")).toEqual([[ids[0], 1]])
  expect(await ran("&version=3")).toEqual([])
  expect(await get(`/results/${ids[1]}`)).toMatchObject({ result: { versionNumber: 2 } })
  expect((await get("/versions")).versions).toMatchObject([
    { openChats: 0 },
    { openChats: 0 },
    { openChats: 0 },
  ])
})
