/** Tests of the typed client: against the running service, and by the compiler. */
import { fileURLToPath } from "node:url"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { build } from "esbuild"
import { expect, test } from "vitest"
import { z } from "zod"
import { createParleyClient, isParleyError, type ParleyInputs } from "../../src/client.ts"
import { appRouter } from "../../src/routers/app.ts"
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

test("members that are undefined, and values that are the same, need no metadata", async () => {
  const bodies: unknown[] = []
  const watched = createParleyClient({
    url: server.address,
    token: server.token,
    fetch: (input, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      return fetch(input, init)
    },
  })
  const { workspace } = await watched.workspace.create.mutate({ name: "Same" })
  const graphCoordinates = { x: -0, y: 0 }
  const events = [{ id: "e", type: "start" as const, graphCoordinates }]
  const groups = [{ id: "g", title: "G", graphCoordinates, blocks: [] }]
  const { bot } = await watched.bot.import.mutate({
    workspaceId: workspace.id,
    bot: {
      version: "6.1",
      name: "Same",
      icon: undefined,
      events,
      groups,
      edges: [],
      variables: [],
    },
  })
  expect(bot.groups).toEqual([{ ...groups[0], graphCoordinates: { x: 0, y: 0 } }])
  const refused = await watched.chat.start
    .mutate({ publicId: "none", message: undefined })
    .catch((error) => error)
  expect(isParleyError(refused) && refused.data?.code).toBe("NOT_FOUND")
  expect(bodies).toHaveLength(3)
  for (const body of bodies) expect(JSON.stringify(body)).not.toContain('"meta"')
})

test("every input is JSON, which is all that the client writes", () => {
  const router: AnyTRPCRouter = appRouter
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const kinds = new Set<string>()
  for (const procedure of Object.values(procedures)) {
    const { inputs } = procedure._def as unknown as { inputs: z.ZodType[] }
    for (const input of inputs) {
      z.toJSONSchema(input, {
        io: "input",
        unrepresentable: "any",
        override: ({ zodSchema }) => void kinds.add(zodSchema._zod.def.type),
      })
    }
  }
  expect(kinds).toContain("object")
  const odd = ["date", "bigint", "map", "set", "nan", "symbol", "file", "undefined"]
  expect(odd.filter((kind) => kinds.has(kind))).toEqual([])
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
