/** Hot queries use members of pg that it does not declare: this fails when a release changes them. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { runHot, type Statement } from "../../src/db/connection/hotQuery.ts"
import { url } from "../support/pipelines.ts"

/** A client, and the types of the messages that the server sends it. */
async function open() {
  const client = new pg.Client({ connectionString: url, pipelining: true } as pg.ClientConfig)
  await client.connect()
  onTestFinished(() => client.end())
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  const seen: string[] = []
  connection.on("rowDescription", () => seen.push("rowDescription"))
  return { client, seen }
}

const statement: Statement = {
  name: "kinds_of_values",
  text: "select n, 'a' || n as text, to_timestamp(n) as at, to_jsonb(n) as json from generate_series(1, $1::int) n",
}

it("are described with their first result only, and say the same ever after", async () => {
  const { client, seen } = await open()
  const first = await runHot(client, statement, [2])
  expect(first).toEqual((await client.query(statement.text, [2])).rows)
  seen.length = 0
  expect(await runHot(client, statement, [2])).toEqual(first)
  expect(await runHot(client, statement, [0])).toEqual([])
  expect(seen).toEqual([])
})

it("say what failed, and the connection goes on", async () => {
  const { client } = await open()
  const divide: Statement = { name: "share_of", text: "select 1 / $1::int as share" }
  expect(await runHot(client, divide, [1])).toEqual([{ share: 1 }])
  await expect(runHot(client, divide, [0])).rejects.toMatchObject({ code: "22012" })
  expect(await runHot(client, divide, [1])).toEqual([{ share: 1 }])
})

it("find what they need in pg, in the one release that was looked at", async () => {
  const require = createRequire(import.meta.url)
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))
  const { dependencies } = read(require.resolve("../../package.json"))
  expect(dependencies.pg).toBe(read(require.resolve("pg/package.json")).version)
  const { client } = await open()
  const { connection } = client as unknown as { connection: object }
  for (const name of ["describe", "execute", "sync", "_send"]) {
    expect(connection, name).toHaveProperty(name, expect.any(Function))
  }
  const Query = pg.Query as unknown as new (text: string) => object
  const query = new Query("select 1")
  for (const name of ["prepare", "handleRowDescription"]) {
    expect(query, name).toHaveProperty(name, expect.any(Function))
  }
  expect(query).toHaveProperty("_result.rows", [])
})
