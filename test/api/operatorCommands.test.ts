/** What operators do at the command line: name each other, and decide about workspaces. */
import { expect, test, vi } from "vitest"
import {
  addOperatorCommand,
  listOperatorsCommand,
  removeOperatorCommand,
} from "../../src/cli/operators.ts"
import { createUserCommand } from "../../src/cli/users.ts"
import { setWorkspaceCommand, showWorkspaceCommand } from "../../src/cli/workspaces.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"

const DATABASE_URL = await testDatabaseUrl()
const { send } = await testServer({ DATABASE_URL })
vi.stubEnv("DATABASE_URL", DATABASE_URL)
vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")

const operators = async () =>
  (await run(listOperatorsCommand)).out
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(/ +/)[0])

test("the first user is an operator, others are made ones when they are created or later", async () => {
  await run(createUserCommand, "--email", "bob@example.com")
  await run(createUserCommand, "--email", "eve@example.com", "--operator")
  expect(await operators()).toEqual(["ann@example.com", "eve@example.com"])
  const added = await run(addOperatorCommand, "Bob@example.com")
  expect(added.err).toBe("bob@example.com operates the service.\n")
  await run(removeOperatorCommand, "ann@example.com")
  expect(await operators()).toEqual(["bob@example.com", "eve@example.com"])
  expect((await send("GET", "/api/v1/operator/users")).status).toBe(404)
  const unknown = await run(addOperatorCommand, "nobody@example.com")
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("No user has") })
})

const lines = async () =>
  Object.fromEntries(
    (await run(showWorkspaceCommand, "Shop")).out
      .split("\n")
      .map((line) => line.split(/ {2,}/) as [string, string]),
  )

test("a workspace is shown and set, with its audit log as by an operator", async () => {
  const { body } = await send("POST", "/api/v1/workspaces", { body: { name: "Shop" } })
  const { id } = body.workspace as { id: string }
  expect(await lines()).toMatchObject({ PLAN: "UNLIMITED", CHATS: "0 of any number" })
  const set = await run(
    setWorkspaceCommand,
    ...["Shop", "--plan", "pro", "--suspended", "on", "--verified", "off"],
    ...["--hard-limit", "0", "--chats-limit", "7", "--seats-limit", "3", "--stripe-id", "cus_1"],
  )
  expect(set.err).toBe('The workspace "Shop" has the plan PRO.\n')
  expect(await lines()).toMatchObject({
    ...{ ID: id, PLAN: "PRO", SUSPENDED: "true", VERIFIED: "false", CLOSED: "true" },
    ...{ CHATS: "0 of 7", "HARD LIMIT": "0", SEATS: "1 of 3", "STRIPE ID": "cus_1" },
  })
  await run(
    setWorkspaceCommand,
    ...["Shop", "--suspended", "off", "--past-due", "on", "--verified", "none"],
    ...["--hard-limit", "none", "--chats-limit", "none", "--stripe-id", "none"],
  )
  expect(await lines()).toMatchObject({
    ...{ SUSPENDED: "false", "PAST DUE": "true", VERIFIED: "not reviewed" },
    ...{ CHATS: "0 of 10000", "HARD LIMIT": "none", "STRIPE ID": "none" },
  })
  const { entries } = (await send("GET", `/api/v1/workspaces/${id}/auditLog`)).body
  const [newest] = entries as object[]
  expect(newest).toMatchObject({ operation: "decideWorkspace", isByOperator: true })
  expect(newest).not.toHaveProperty("user")
})

test.each([
  [["Shop"], "There is nothing to set"],
  [["Shop", "--suspended", "maybe"], '--suspended must be on or off, not "maybe"'],
  [["Shop", "--chats-limit", "-1"], "--chats-limit must be a number, or none"],
  [["Shop", "--plan", "gold"], '"gold" is not a plan'],
  [["Nothing", "--suspended", "on"], "There is no workspace Nothing"],
])("%j is refused with a sentence", async (words, sentence) => {
  const { code, err } = await run(setWorkspaceCommand, ...words)
  expect([code, err]).toEqual([1, expect.stringContaining(sentence)])
})
