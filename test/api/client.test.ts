/** Tests of the typed client: against the running service, and by the compiler. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, test } from "vitest"
import { createParleyClient, isParleyError, type ParleyInputs } from "../../src/client.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const client = createParleyClient({ url: `${server.address}/`, token: server.token })

test("calls reach the service and answers come back typed", async () => {
  const me = await client.user.getMe.query()
  expect(me.email).toBe("ann@example.com")
  const { workspaces } = await client.workspace.list.query()
  expect(workspaces.map(({ name }) => name)).toEqual(["My workspace"])
})

test("calls of one moment travel together", async () => {
  const urls: string[] = []
  const counted = createParleyClient({
    url: server.address,
    token: server.token,
    fetch: (input, init) => {
      urls.push(String(input))
      return fetch(input, init)
    },
  })
  await Promise.all([counted.user.getMe.query(), counted.user.listTokens.query()])
  expect(urls).toHaveLength(1)
  await Promise.all(Array.from({ length: 21 }, () => counted.user.getMe.query()))
  expect(urls).toHaveLength(3)
})

test("refusals come as errors with their code and issues", async () => {
  const refused = await client.user.createToken.mutate({ name: "" }).catch((error) => error)
  expect(isParleyError(refused) && refused.data).toMatchObject({
    code: "BAD_REQUEST",
    httpStatus: 400,
    issues: [{ path: ["name"] }],
  })
  const anonymous = createParleyClient({ url: server.address })
  const unknown = await anonymous.user.getMe.query().catch((error) => error)
  expect(isParleyError(unknown) && unknown.data?.code).toBe("UNAUTHORIZED")
})

test("the client brings no code of the service with it", async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../../src/client.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "esm",
  })
  const own = Object.keys(metafile.inputs).filter((file) => !file.includes("node_modules/"))
  expect(own).toEqual(["src/client.ts"])
})

test("wrong calls do not compile", () => {
  expect(mistakes).toBeTypeOf("function")
})

// Never run: the compiler is the test. Were a line no mistake, its comment would be one.
async function mistakes(): Promise<void> {
  // @ts-expect-error a member is misspelt
  await client.result.list.query({ botID: "b" })
  // @ts-expect-error a member is of another type
  await client.result.list.query({ botId: "b", limit: "50" })
  // @ts-expect-error there is no such span
  await client.result.list.query({ botId: "b", timeFilter: "last8Days" })
  // @ts-expect-error there is no such procedure
  await client.result.purge.mutate({ botId: "b" })
  // @ts-expect-error queries are not mutations
  await client.result.list.mutate({ botId: "b" })
  // @ts-expect-error answers have no such member
  await client.user.getMe.query().then((me) => me.password)
  // @ts-expect-error a required member is missing
  const start: ParleyInputs["chat"]["start"] = { resultId: "r" }
  await client.chat.start.mutate(start)
}
