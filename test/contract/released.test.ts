/** What was released stays: the document and the types of the client compared with those of the last release. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { joinWebhooks } from "../../src/http/openapi/documentParts.ts"
import { type Json, memberOf, walk } from "../../src/http/openapi/openapiSchemas.ts"
import { growingChoices } from "../../src/http/openapi/openEnums.ts"
import { breakingChanges } from "../support/breakingChanges.ts"

const folder = "test/fixtures/contract"
const read = (path: string): Json => JSON.parse(readFileSync(path, "utf8"))

/** The documents of releases, the last one at the end. */
const releases = readdirSync(folder)
  .filter((name) => /^\d.*\.json$/.test(name))
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
const last = read(`${folder}/${releases.at(-1)}`)
const now = joinWebhooks({
  document: read("openapi.json"),
  webhooks: read("src/http/openapi/openapi.webhooks.json"),
})

/** Breaks that were decided, each with its line in the changelog. */
const allowed = read(`${folder}/allowed.json`) as Record<string, string>

test("nothing breaks callers of the last release, but for what is allowed and in the changelog", () => {
  const changes = breakingChanges(last, now)
  expect(changes.filter((each) => !(each in allowed))).toEqual([])
  const ofDocument = Object.keys(allowed).filter((each) => !each.startsWith("["))
  expect(ofDocument.filter((each) => !changes.includes(each))).toEqual([])
  const changelog = readFileSync(".github/CHANGELOG.md", "utf8").replaceAll(/\s+/g, " ")
  expect(Object.values(allowed).filter((line) => !changelog.includes(line))).toEqual([])
})

const bots = ["paths", "/api/v1/bots"] as const
const create = [...bots, "post"] as const
const body = [...create, "requestBody", "content", "application/json", "schema"] as const

/** The last document with a change; what is at the given place is changed. */
function changed(place: readonly string[], change: (part: Json) => void): Json {
  const document = structuredClone(last)
  change(memberOf(document, ...place))
  return document
}

const query = { name: "colour", in: "query", schema: { type: "string" } }
const post = "POST /api/v1/bots"

describe("the comparison catches", () => {
  test.each<[string, Json, string]>([
    [
      "an operation that is gone",
      changed(bots, (item) => delete item.post),
      `${post}: was removed`,
    ],
    [
      "an operation with another id",
      changed(create, (operation) => Object.assign(operation, { operationId: "makeBot" })),
      `${post}: is called makeBot now`,
    ],
    [
      "an operation at another path",
      changed(["paths"], (paths) => {
        paths["/api/v1/bot"] = paths["/api/v1/bots"]
        delete paths["/api/v1/bots"]
      }),
      `${post}: was removed`,
    ],
    [
      "a new parameter that must be sent",
      changed(create, ({ parameters }) =>
        (parameters as Json[]).push({ ...query, required: true }),
      ),
      `${post} › query colour: is required now`,
    ],
    [
      "an answer that is gone",
      changed([...create, "responses"], (responses) => delete responses["409"]),
      `${post} › 409: was removed`,
    ],
    [
      "a member of an answer that is gone",
      changed(["components", "schemas", "Bot", "properties"], (members) => delete members.name),
      "Bot.name: was removed",
    ],
    [
      "a member of an answer that has another type",
      changed(["components", "schemas", "Bot", "properties", "name"], (member) => {
        member.type = "number"
      }),
      'Bot.name: has another type: "number"',
    ],
    [
      "a member of an answer that may be missing",
      changed(["components", "schemas", "Bot"], (bot) => {
        bot.required = (bot.required as string[]).filter((name) => name !== "version")
      }),
      "Bot.version: may be missing now",
    ],
    [
      "a new member of a request that must be sent",
      changed(body, (schema) =>
        Object.assign(schema, { required: ["workspaceId", "bot", "colour"] }),
      ),
      `${post} › body.colour: is required now`,
    ],
    [
      "a member of a request that takes less",
      changed([...body, "properties", "workspaceId"], (member) =>
        Object.assign(member, { maxLength: 3 }),
      ),
      `${post} › body.workspaceId: maxLength is 3 now`,
    ],
    [
      "a value that a closed enum has lost",
      changed(["components", "schemas", "UserMode"], (schema) =>
        Object.assign(schema, { enum: ["read", "write"] }),
      ),
      "UserMode: guest was removed",
    ],
    [
      "a value that a closed enum of answers has in addition",
      changed(["components", "schemas", "UserMode"], ({ enum: values }) =>
        (values as string[]).push("own"),
      ),
      "UserMode: own is new",
    ],
    [
      "a call that needs a token now",
      changed(
        ["paths", "/api/v1/sessions/{sessionId}/continueChat", "post"],
        (operation) => delete operation.security,
      ),
      "POST /api/v1/sessions/{sessionId}/continueChat: is not open to",
    ],
    [
      "a webhook that is gone",
      changed(["webhooks"], (webhooks) => delete webhooks["bot.published"]),
      "POST bot.published: was removed",
    ],
  ])("%s", (_, document, expected) => {
    expect(breakingChanges(last, document).join("\n")).toContain(expected)
  })

  test("nothing in the same document", () => expect(breakingChanges(last, last)).toEqual([]))

  test.each<[string, Json]>([
    [
      "a new reason of refusals",
      changed([], (document) =>
        walk(document, ({ enum: values }) => {
          if (Array.isArray(values) && values.includes("STALE_DRAFT")) values.push("NEW_REASON")
        }),
      ),
    ],
    [
      "a new parameter that may be left out",
      changed(create, ({ parameters }) => (parameters as Json[]).push(query)),
    ],
    [
      "a new operation",
      changed(["paths"], (paths) =>
        Object.assign(paths, { "/api/v1/trees": { get: { responses: {} } } }),
      ),
    ],
    [
      "a request that takes more",
      changed([...body, "properties", "workspaceId"], (member) =>
        Object.assign(member, { maxLength: 9_999 }),
      ),
    ],
    [
      "a new member of an answer",
      changed(["components", "schemas", "Bot"], (bot) => {
        memberOf(bot, "properties").colour = { type: "string" }
      }),
    ],
    ...growingChoices.map((name): [string, Json] => [
      `a new choice of ${name}`,
      changed(["components", "schemas", name], ({ oneOf }) =>
        (oneOf as Json[]).push({ type: "object", properties: { type: { const: "new" } } }),
      ),
    ]),
  ])("not %s", (_, document) => expect(breakingChanges(last, document)).toEqual([]))
})
