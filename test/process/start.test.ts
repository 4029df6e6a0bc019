/** Holds starts of the real process to their promises: the token once, sentences when it cannot. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isGone } from "../support/waiting.ts"
import {
  bringDist,
  call,
  canBecomeOrdinary,
  launch,
  nobody,
  ordinaryCopy,
  postmasterOf,
  productCopy,
  tokenIn,
} from "./product.ts"

const product = await productCopy()
const data = join(product, ".parley")
// The first start builds it.
await rm(join(product, "dist"), { recursive: true })

test("a first start whose port is in use says what to do, and loses no token", async () => {
  const other = createServer().listen(0, "127.0.0.1")
  await once(other, "listening")
  const taken = other.address()
  const port = String(typeof taken === "object" && taken ? taken.port : 0)
  const run = launch(product, { PORT: port })
  expect(await run.ended()).toEqual({ code: 1, signal: null })
  other.close()
  // The build comes first, and says so when it takes its time.
  expect(run.stderr().replace(/^Parley is built first.*\n/, "")).toBe(
    `Parley could not start. Port ${port} is in use: stop the program that uses it, or set PORT to another number.\n`,
  )
  expect(run.stdout()).toBe("")
  expect(existsSync(join(data, "postgres")), "a database").toBe(false)
})

test("a data folder that cannot be written is named as such, before a database is made", async () => {
  if (!canBecomeOrdinary) return
  const folder = await ordinaryCopy(product)
  const closed = join(folder, "closed")
  await mkdir(closed, { mode: 0o555 })
  const run = launch(folder, { PARLEY_DATA: closed }, nobody)
  expect(await run.ended()).toEqual({ code: 1, signal: null })
  expect(run.stderr()).toBe(
    `Parley could not start. The data folder ${closed} cannot be written (EACCES): let this user write there, or set PARLEY_DATA to another folder.\n`,
  )
})

test.each(["start", "parley"])("%s.mjs says that Node is too old", (name) => {
  const pretend =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.4'}})"
  const words = ["--import", pretend, join(product, `scripts/${name}.mjs`), "--help"]
  const env = { PATH: process.env.PATH }
  const run = spawnSync(process.execPath, words, { cwd: product, env, encoding: "utf8" })
  expect(run).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^Parley needs Node 20\.19 or newer, and this is Node 18\.20\.4: .+\n$/,
    ),
  })
})

test("the first start prints a token once, and both starts serve", async () => {
  const first = launch(product)
  const address = await first.ready()
  const token = tokenIn(first)
  expect(token).not.toBe("")
  expect(first.stdout().split(token).length).toBe(2)
  expect(first.stderr()).not.toContain(token)
  expect(await call(`${address}/healthz`)).toEqual({ status: 200, body: { status: "ok" } })
  expect(await call(`${address}/readyz`)).toEqual({ status: 200, body: { status: "ok" } })
  const postmaster = postmasterOf(data)
  first.child.kill("SIGINT")
  expect(await first.ended()).toEqual({ code: 0, signal: null })
  expect(isGone(postmaster)).toBe(true)

  const second = launch(product)
  const again = await second.ready()
  expect(second.stdout()).not.toMatch(/Token|parley_pat_|User/)
  expect(second.stdout()).toContain("npx parley token create")
  const me = await call(`${again}/api/v1/users/me`, { token })
  expect(me.status).toBe(200)
  const started = await call(`${again}/api/v1/bots/demo/startChat`, { body: {} })
  expect(started.body).toHaveProperty("input.type", "choice input")

  // The database is the second's, and stays with it.
  const third = launch(product, { PORT: new URL(again).port })
  expect(await third.ended()).toEqual({ code: 1, signal: null })
  expect(third.stderr()).toContain("is in use")
  expect((await call(`${again}/readyz`)).status).toBe(200)
  second.child.kill("SIGTERM")
  expect(await second.ended()).toEqual({ code: 0, signal: null })
})

test("without the packages that build it, a start says what to do, and runs what was built elsewhere", async () => {
  const folder = await productCopy()
  await rm(join(folder, "node_modules"))
  await rm(join(folder, "dist"), { recursive: true })
  const refused = launch(folder)
  expect(await refused.ended()).toEqual({ code: 1, signal: null })
  expect(refused.stderr()).toBe(
    "Parley could not start. It was not built, and the packages that build it are not installed: run `npm ci`, or bring the folder dist of a copy that was built.\n",
  )
  await bringDist(product, folder)
  // Newer than what was built: it is run all the same.
  await writeFile(join(folder, "src/newer.ts"), "")
  const run = launch(folder)
  const address = await run.ready()
  expect((await call(`${address}/readyz`)).status).toBe(200)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
})

test("the secret of an embedded service is for its owner alone", async () => {
  const names = await readdir(data)
  const open = await Promise.all(
    names
      .filter((name) => /secret|key|password/.test(name))
      .map(async (name) => (await stat(join(data, name))).mode & 0o077),
  )
  expect(open.every((bits) => bits === 0)).toBe(true)
})

test("a start without the secret of a used database is refused, until it is back or given up", async () => {
  const path = join(data, "secret")
  const kept = await readFile(path, "utf8")
  await rm(path)
  const refused = launch(product)
  expect(await refused.ended()).toEqual({ code: 1, signal: null })
  expect(refused.stderr()).toContain(
    `Parley could not start. The secret of this installation is missing: there is no file ${path},`,
  )
  await expect(readFile(path)).rejects.toThrow("ENOENT")

  const parley = [join(product, "scripts/parley.mjs"), "secret", "create"]
  const env = { PATH: process.env.PATH, PARLEY_DATA: data }
  const given = spawnSync(process.execPath, parley, { cwd: product, env, encoding: "utf8" })
  expect(given).toMatchObject({ status: 0, stdout: "" })
  expect(given.stderr).toContain(`There is a new secret in ${path}.`)
  expect(await readFile(path, "utf8")).not.toBe(kept)
  const again = spawnSync(process.execPath, parley, { cwd: product, env, encoding: "utf8" })
  expect(again.status).toBe(1)
  expect(again.stderr).toContain("stays as it is")

  await writeFile(path, kept)
  const run = launch(product)
  await run.ready()
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
})

test("a misspelt command is named with the one that was meant", () => {
  const words = [join(product, "scripts/parley.mjs"), "hsitory"]
  const env = { PATH: process.env.PATH }
  const run = spawnSync(process.execPath, words, { cwd: product, env, encoding: "utf8" })
  expect(run).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "There is no command `parley hsitory`: did you mean `parley history`?\n",
  })
})

test("all problems of the environment are reported at once, without any values", async () => {
  const run = launch(product, {
    PORT: "seven",
    PARLEY_ROLE: "king",
    DATABASE_URL: "mysql://me:hunter2@db/x",
  })
  expect(await run.ended()).toEqual({ code: 1, signal: null })
  expect(run.stderr()).toContain("Parley could not start. The configuration cannot be used:")
  expect(run.stderr()).toContain("- PORT must be a whole number from 0 to 65535.")
  expect(run.stderr()).toMatch(/- PARLEY_ROLE must be one of \w/)
  expect(run.stderr()).toContain("- DATABASE_URL must be an address with postgres://.")
  expect(run.stderr()).not.toMatch(/hunter2|seven|king|\n {4}at /)
  expect(run.stdout()).toBe("")
})

test.each([
  [
    "postgres://me:hunter2@127.0.0.1:1/parley",
    /The database does not answer \(ECONNREFUSED\): check that it runs, and that DATABASE_URL is right\./,
  ],
  ["postgres://me:hunter2@localhost:1/parley", /The database does not answer \(ECONNREFUSED\)/],
  [
    "postgres://me:hunter2@nowhere.invalid/parley",
    /The database does not answer \((ENOTFOUND|EAI_AGAIN)\)/,
  ],
])("a silent database is reported with the next step: %s", async (url, words) => {
  const run = launch(product, { DATABASE_URL: url, PARLEY_SECRET: "s".repeat(32) })
  expect(await run.ended()).toEqual({ code: 1, signal: null })
  expect(run.stderr()).toMatch(words)
  expect(run.stderr()).not.toMatch(/hunter2|\n {4}at /)
  expect(run.stdout()).toBe("")
})
