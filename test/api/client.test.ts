/** Tests of the typed client: against the running service, and by the compiler. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { createTRPCClient, httpBatchLink } from "@trpc/client"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { build } from "esbuild"
import superjson from "superjson"
import { expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import {
  type AppRouter,
  createParleyClient,
  isParleyError,
  maxBatchCalls,
  maxUrlLength,
} from "../../src/client.ts"
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

test("a batch that is larger than the client makes them fails call by call", async () => {
  const { address } = server
  const link = httpBatchLink({ url: `${address}/api/trpc`, transformer: superjson })
  const careless = createTRPCClient<AppRouter>({ links: [link] })
  const calls = Array.from({ length: maxBatchCalls + 1 }, () => careless.user.getMe.query())
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ reason: { data: { reason: "BATCH_TOO_LARGE" } } })
  }
  expect([maxBatchCalls, maxUrlLength]).toEqual([20, 2_000])
})

test("a call whose address would be too long is not sent, and others' are refused in tRPC's form", async () => {
  const publicId = "x".repeat(maxUrlLength)
  const refused = await client.bot.publicIdAvailability.query({ publicId }).catch((error) => error)
  expect(isParleyError(refused) && refused.message).toBe("Input is too big for a single dispatch")
  const link = httpBatchLink({ url: `${server.address}/api/trpc`, transformer: superjson })
  const careless = createTRPCClient<AppRouter>({ links: [link] })
  const answered = await careless.bot.publicIdAvailability.query({ publicId }).catch((each) => each)
  expect(isParleyError(answered) && answered.data?.reason).toBe("UNAUTHORIZED")
})

test("the address may be that of tRPC", async () => {
  for (const path of ["/api/trpc", "/api/trpc/"]) {
    const { user } = createParleyClient({ url: server.address + path, token: server.token })
    expect((await user.getMe.query()).email).toBe("ann@example.com")
  }
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

test("an address where no service is, or another one, is named in a sentence", async () => {
  const messageOf = async (url: string) => {
    const call = createParleyClient({ url }).user.getMe.query()
    const error = await call.catch((failure: unknown) => failure)
    return isParleyError(error) ? error.message : error
  }
  const inside = `${server.address}/builder`
  expect(await messageOf(inside)).toBe(
    `${inside} did not answer as Parley (status 404): is \`url\` the root of the service?`,
  )
  const page = createServer((_, response) => response.end("<html>Hello</html>"))
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve))
  const { port } = page.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  expect(await messageOf(address)).toBe(
    `${address} did not answer as Parley (status 200): is \`url\` the root of the service?`,
  )
  page.closeAllConnections()
  await new Promise((resolve) => page.close(resolve))
  expect(await messageOf(address)).toBe(`${address} did not answer: is the service running there?`)
})

test("the origin of a page is blamed only where the service answers, but not to that origin", async () => {
  vi.stubGlobal("location", { origin: "https://shop.example" })
  onTestFinished(() => void vi.unstubAllGlobals())
  /** What a call says that fails, if the service answers requests in these modes. */
  const messageOf = async (url: string, ...answered: string[]) => {
    const fetch = async (_: unknown, { mode }: RequestInit = {}) => {
      if (mode !== undefined && answered.includes(mode)) return new Response()
      throw new TypeError("Failed to fetch")
    }
    const call = createParleyClient({ url, fetch }).user.getMe.query()
    const error = await call.catch((failure: unknown) => failure)
    return isParleyError(error) ? error.message : error
  }
  const [other, own] = ["https://bots.example", "https://shop.example"]
  expect(await messageOf(other, "no-cors")).toBe(
    `${other} does not let pages of ${own} call it: add that origin to PARLEY_ALLOWED_ORIGINS`,
  )
  const unanswered = "did not answer: is the service running there?"
  expect(await messageOf(other)).toBe(`${other} ${unanswered}`)
  // The request got lost, and the next ones did not.
  expect(await messageOf(other, "no-cors", "cors")).toBe(`${other} ${unanswered}`)
  expect(await messageOf(own, "no-cors")).toBe(`${own} ${unanswered}`)
})

test("a call that is given up fails as it was given up", async () => {
  const signal = AbortSignal.abort()
  const error = await client.user.getMe.query(undefined, { signal }).catch((each) => each)
  expect(error.cause).toMatchObject({ name: "AbortError" })
})

test("errors are known across copies of @trpc/client", () => {
  class TRPCClientError extends Error {
    override name = "TRPCClientError"
  }
  expect(isParleyError(new TRPCClientError())).toBe(true)
  expect(isParleyError(new TypeError())).toBe(false)
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
  const foreign = own.filter((file) => !/^src\/client[./]/.test(file))
  expect(foreign).toEqual(["src/lib/inOrder.ts"])
})
