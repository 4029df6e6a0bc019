/** Tests of the command line: accounts, tokens, migrations, and how commands fail. */
import { execFile } from "node:child_process"
import { afterEach, expect, test, vi } from "vitest"
import { migrateCommand } from "../../src/cli/migrate.ts"
import {
  createTokenCommand,
  generateTokenCommand,
  listTokensCommand,
  revokeTokensCommand,
} from "../../src/cli/tokens.ts"
import { createUserCommand } from "../../src/cli/users.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findTokenOwner } from "../../src/db/people/tokens.ts"
import { hashToken, isToken } from "../../src/people/apiTokens.ts"
import { builtCommand } from "../support/builtProduct.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { run } from "../support/runCommand.ts"

const url = await testDatabaseUrl("empty")
vi.stubEnv("DATABASE_URL", url)
vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
vi.stubEnv("PARLEY_DEFAULT_PLAN", "PRO")

afterEach(() => {
  process.exitCode = undefined
})

test("migrate applies what is missing, once", async () => {
  const { out, code } = await run(migrateCommand)
  expect(out).toMatch(/^Applied 0001_parley$/m)
  expect(code).toBe(0)
  const again = await run(migrateCommand)
  expect(again).toEqual({ out: "", err: expect.stringContaining("Nothing to do"), code: 0 })
})

test("a user is made with a workspace, and not a second time", async () => {
  const first = await run(createUserCommand, "--email", "Ann@Example.com", "--name", "Ann")
  expect(isToken(first.out.trim())).toBe(true)
  expect(first.err).toContain("Created ann@example.com")
  const second = await run(createUserCommand, "--email=ann@example.com", "--token-name=Laptop")
  expect(second).toMatchObject({ out: "", code: 1 })
  expect(second.err).toContain("has an account already")
  await run(createTokenCommand, "--name=Laptop")
  const database = await openDatabase({ url, poolSize: 1 })
  const workspaces = await database.kysely.selectFrom("workspaces").selectAll().execute()
  await database.close()
  expect(workspaces).toMatchObject([{ name: "My workspace", plan: "PRO" }])
})

test("a token is made, listed by its hint and revoked", async () => {
  const limits = ["--expires", "2100-01-31", "--scope", "bots:read, results:read"]
  const made = await run(createTokenCommand, "--name", "CI", ...limits)
  const token = made.out.trim()
  const id = (await ownerOf(token))?.tokenId ?? ""
  const list = await run(listTokensCommand)
  const line = list.out.split("\n").find((each) => each.startsWith(id)) ?? ""
  expect(line.split(/ {2,}/)).toEqual([
    id,
    `...${token.slice(-4)}`,
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    "never",
    "2100-01-31",
    "bots:read,results:read",
    "everything",
    "CI",
  ])
  expect(list.out).not.toContain(token)
  expect((await run(revokeTokensCommand, "--id", id)).err).toContain("Revoked CI")
  expect(await ownerOf(token)).toBeUndefined()
  expect(await run(revokeTokensCommand, "--id", id)).toMatchObject({ code: 1 })
})

test("with several users the owner must be named", async () => {
  const other = await run(createUserCommand, "--email", "bob@example.com")
  const unnamed = await run(createTokenCommand)
  expect(unnamed).toEqual({ out: "", err: expect.stringContaining("--email"), code: 1 })
  const nobody = await run(createTokenCommand, "--email", "eve@example.com")
  expect(nobody.err).toContain("No user has the mail address eve@example.com")
  const made = await run(createTokenCommand, "--email", " Bob@example.com")
  expect((await ownerOf(made.out))?.email).toBe("bob@example.com")
  await run(revokeTokensCommand, "--all", "--email", "bob@example.com")
  expect(await ownerOf(made.out)).toBeUndefined()
  expect(await ownerOf(other.out)).toBeUndefined()
  expect((await run(listTokensCommand, "--email", "ann@example.com")).out).toContain("Laptop")
})

test("a generated token has no owner", async () => {
  const { out } = await run(generateTokenCommand)
  expect(isToken(out.trim())).toBe(true)
  expect(await ownerOf(out)).toBeUndefined()
})

test("mistakes are reported as sentences with code 1", async () => {
  const mistakes: [Parameters<typeof run>[0], string[], string][] = [
    [createUserCommand, ["--email", "nonsense"], '"nonsense" is not a mail address.'],
    [createUserCommand, ["--email", "a@example.com", "--nmae", "A"], "no option --nmae"],
    [createUserCommand, ["--email", "a@example.com", "more"], '"more" is one word too many'],
    [createTokenCommand, ["--email", "ann@example.com", "--expires", "soon"], "not a date"],
    [createTokenCommand, ["--email", "ann@example.com", "--expires", "2099-02-31"], "not a date"],
    [createTokenCommand, ["--email", "ann@example.com", "--scope", "all"], 'no scope "all"'],
    // As of a script whose variable is not set: the token would be for nothing.
    [createTokenCommand, ["--email", "ann@example.com", "--scope", ""], 'no scope ""'],
    [createTokenCommand, ["--email", "ann@example.com", "--bots", "b1"], "no bot with the id"],
    [createTokenCommand, ["--email", "ann@example.com", "--expires", "2001-01-01"], "in the past"],
    [revokeTokensCommand, [], "Choose a token"],
    [revokeTokensCommand, ["--all", "--id", "x"], "Choose a token"],
    [revokeTokensCommand, ["--id", "x"], "There is no token with the id x."],
  ]
  for (const [command, words, sentence] of mistakes) {
    const { out, err, code } = await run(command, ...words)
    expect(err).toContain(sentence)
    expect({ out, code }).toEqual({ out: "", code: 1 })
  }
})

test("a folder without data is not filled by asking for tokens", async () => {
  vi.stubEnv("DATABASE_URL", "")
  vi.stubEnv("PARLEY_DATA", "no-such-folder")
  const { err, code } = await run(listTokensCommand)
  vi.stubEnv("DATABASE_URL", url)
  expect(err).toContain("There is no data in")
  expect(code).toBe(1)
})

test("the program knows its commands and ends with their code", async () => {
  const help = await program("token", "--help")
  expect(help.code).toBe(0)
  expect(help.out).toMatch(
    /\nUSAGE parley token [\s\S]*create[\s\S]*generate[\s\S]*list[\s\S]*revoke/,
  )
  expect((await program("token", "create", "--help")).out).toContain("\nUSAGE parley token create ")
  const failed = await program("token", "revoke")
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining("Choose a token") })
})

test("a command with missing arguments prints no result", async () => {
  const { out, err, code } = await program("export")
  expect({ out, code }).toEqual({ out: "", code: 1 })
  expect(err).toMatch(/USAGE parley export [\s\S]*Missing required positional argument: BOT/)
})

test("a reader that leaves a pipe early is no error", async () => {
  const command = await builtCommand()
  const ended = await new Promise<{ code: number; err: string }>((resolve) => {
    const child = execFile(process.execPath, [command, "lint", "--rules"], (error, _, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), err })
    })
    child.stdout?.destroy()
  })
  expect(ended).toEqual({ code: 0, err: "" })
})

/** Runs the program as its users do. */
async function program(...words: string[]) {
  const command = await builtCommand()
  return await new Promise<{ out: string; err: string; code: number }>((resolve) => {
    // It is told neither that a test nor that CI runs it: both would spare its help the colours.
    const env = { ...process.env, TEST: "", CI: "", TERM: "xterm" }
    execFile(process.execPath, [command, ...words], { env }, (error, out, err) => {
      resolve({ out, err, code: error === null ? 0 : Number(error.code) })
    })
  })
}

async function ownerOf(token: string) {
  const database = await openDatabase({ url, poolSize: 1 })
  try {
    return await findTokenOwner(database, hashToken(token.trim()))
  } finally {
    await database.close()
  }
}
