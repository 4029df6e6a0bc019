/** Every operation answers as its example in the document does, and events are sent as theirs. */
import { expect, test } from "vitest"
import { buildRoutes } from "../../src/http/rest/routes.ts"
import { appRouter } from "../../src/routers/app.ts"
import { type Example, examples, webhooksDocument } from "../support/documentExamples.ts"
import type { Bindings } from "../support/likeness.ts"
import { answered } from "../support/server.ts"
import { story } from "./story.ts"
import { bindings, publicUrl, received, server, told, toldTypes } from "./storyWorld.ts"

const namedIn = (text: string) => [...text.matchAll(/^event: .*\n(?:.+\n)+\n/gm)]

/** Sends an example, and returns the answer; of a stream of events, as many with a name as the example has. */
async function sendExample(
  { method, path, takesBody, request, response: shown }: Example,
  at: Bindings,
) {
  const leaving = new AbortController()
  const response = await fetch(server.address + at.filled(path), {
    method,
    signal: leaving.signal,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(takesBody && { "content-type": "application/json" }),
    },
    ...(takesBody && { body: JSON.stringify(at.filled(request)) }),
  })
  const { status, headers } = response
  const location = headers.get("location")
  if (location) {
    const file = await fetch(location.replace(publicUrl, server.address))
    return {
      status: file.status,
      type: "application/octet-stream",
      body: await file.text(),
    }
  }
  const type = headers.get("content-type")?.split(";")[0]
  if (type !== "text/event-stream") {
    const text = await response.text()
    return {
      status,
      type,
      body: type === "application/json" ? JSON.parse(text) : text,
    }
  }
  const wanted = namedIn(String(shown)).length
  let text = ""
  // A stream of events goes on until somebody leaves.
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString()
    if (namedIn(text).length >= wanted) break
  }
  leaving.abort()
  const last = namedIn(text)[wanted - 1]
  return { status, type, body: last ? text.slice(0, last.index + last[0].length) : text }
}

test("the story has every operation of the document, once", () => {
  expect(Object.keys(story).sort()).toEqual(examples.map(({ id }) => id).sort())
})

test.each(Object.entries(story))("%s answers as its example says", async (id, { before }) => {
  const example = examples.find((each) => each.id === id)
  if (example === undefined) throw new Error(`${id} is not in the document`)
  const own = await before?.()
  const at = own ? bindings.with(own) : bindings
  const { status, type, body } = await sendExample(example, at)
  expect([status, type], JSON.stringify(body)).toEqual([200, example.type])
  expect(at.differences(example.response, body)).toEqual([])
})

test("all operations answered, so that every answer was held to its schema", () => {
  const procedures = buildRoutes(appRouter).routes.map(({ procedure }) => procedure)
  expect([...answered].sort()).toEqual(procedures.sort())
})

test.each(toldTypes)("%s is sent as the document shows it", (type) => {
  expect(bindings.differences(exampleOf(type), told[type])).toEqual([])
})

test("the test of an endpoint sends the event that the document shows", () => {
  const sent = received().find(({ type }) => type === "ping")
  expect(bindings.differences(exampleOf("ping"), sent)).toEqual([])
})

function exampleOf(type: string): unknown {
  return webhooksDocument.webhooks[type]?.post.requestBody.content["application/json"].example
}
