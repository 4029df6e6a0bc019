/** Assistants may do what their token may, and nothing more: every tool, beside the same call over REST. */
import { expect, test } from "vitest"
import { findUserByEmail } from "../../src/db/people/users.ts"
import type { Tool } from "../../src/mcp/tools.ts"
import { createToken } from "../../src/people/createAccount.ts"
import { type Scope, scopes } from "../../src/people/grants.ts"
import { assistantAt } from "../support/assistants.ts"
import { askedOf, toolCalls } from "./toolCalls.ts"
import { database, marker, newTarget, server, tokens } from "./twoTenants.ts"

const target = await newTarget()

const named = toolCalls.filter(({ operation }) =>
  /\{|workspaceId/.test(`${operation.path} ${operation.query}`),
)

test.each(
  named.map((each) => [each.tool.name, each] as const),
)("%s is refused to strangers, guests and readers as over REST", async (name, {
  tool,
  operation,
}) => {
  const { method, path, body, input } = askedOf(operation, target)
  for (const who of ["stranger", "guest", "reader"] as const) {
    const token = tokens[who]
    const { use } = await assistantAt(server.address, token)
    const rest = await server.send(method, path, { token, ...(body !== undefined && { body }) })
    const answer = await use(name, { ...input, ...(tool.asks && { confirm: true }) })
    const isContinued = name === "continue_preview"
    // What was begun by somebody else is not traced, and this tool traces always.
    const reason = isContinued ? "FORBIDDEN" : rest.body.reason
    expect([who, answer.isError, answer.whole.reason]).toEqual([who, reason !== undefined, reason])
    if (who === "stranger") expect(answer.isError).toBe(true)
    if (who === "stranger") expect(JSON.stringify(answer)).not.toContain(marker)
  }
})

test("no role can continue the chat of a visitor", async () => {
  const { use } = await assistantAt(server.address, tokens.admin)
  const sent = { sessionId: target.sessionId, message: { type: "text", text: "hi" } }
  expect(await use("continue_preview", { ...sent, trace: false })).toMatchObject({
    isError: true,
    whole: { reason: "FORBIDDEN" },
  })
})

test.each(
  Object.keys(scopes) as Scope[],
)("a token with the scope %s sees the tools of that scope, and no other works", async (scope) => {
  const { id = "" } = (await findUserByEmail(database, "ann@example.com")) ?? {}
  const { token } = await createToken(database, id, { scopes: [scope] })
  const { client, use } = await assistantAt(server.address, token)
  const listed = await client.listTools()
  const usable = toolCalls.filter((each) => each.scope === undefined || each.scope === scope)
  expect(listed.tools.map(({ name }) => name)).toEqual(usable.map(({ tool }) => tool.name))
  for (const { tool, operation } of toolCalls.filter((each) => !usable.includes(each))) {
    const { input } = askedOf(operation, target)
    for (const more of [{}, { confirm: true }]) {
      const answer = await use(tool.name, { ...input, ...more })
      expect(answer, tool.name).toMatchObject({ isError: true, whole: { reason: "SCOPE_MISSING" } })
      expect(JSON.stringify(answer)).not.toContain(marker)
    }
  }
})

test.each(
  toolCalls.map(({ tool }) => [tool.name, tool] as const),
)("%s refuses what it does not take", async (name, tool: Tool) => {
  const { client, use } = await assistantAt(server.address, tokens.admin)
  const { tools: listed } = await client.listTools()
  const members = Object.keys(
    listed.find((each) => each.name === name)?.inputSchema.properties ?? {},
  )
  const values = [
    17,
    null,
    [],
    { a: { b: [] } },
    "x".repeat(300_000),
    "\u0000\ud800",
    true,
    -1,
    1e300,
  ]
  for (const value of values) {
    const answer = await use(name, Object.fromEntries(members.map((member) => [member, value])))
    const reason = answer.whole.reason
    if (answer.isError) expect(["BAD_REQUEST", "NOT_FOUND", "SCOPE_MISSING"]).toContain(reason)
    // Only those succeed that need nothing of what was sent.
    else expect(tool.effect).toBe("reads")
    expect(JSON.stringify(answer).length).toBeLessThan(120_000)
    expect(JSON.stringify(answer)).not.toMatch(/node_modules|\.ts:\d|at .*:\d+:\d+/)
  }
})
