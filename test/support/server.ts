/** The whole service on a database of its own, and a way to send requests to it. */
import { readConfig } from "../../src/app/config.ts"
import { type Service, startService } from "../../src/app/service.ts"
import { allJobs } from "../../src/jobs/allJobs.ts"
import { type Log, silentLog } from "../../src/telemetry/log.ts"
import { runAlone } from "./cluster.ts"
import { testDatabaseUrl } from "./database.ts"
import { operationAt, requireDocumented } from "./documentedRefusals.ts"
import { expectData } from "./expectData.ts"
import { watchAnswers } from "./watchAnswers.ts"
import { whenOver } from "./whenOver.ts"

/** The operations that answered services of this file, each answer held to its schema. */
export const answered = watchAnswers()

/** What came back. */
export type Reply = {
  status: number
  headers: Headers
  /** The parsed JSON body; empty when there was none. */
  body: Record<string, unknown>
}

/** What to send beside method and path. */
export type Sent = {
  /** Sent as JSON, unless it is a text already. */
  body?: unknown
  /** Instead of the first user's token; null: none. */
  token?: string | null
  headers?: Record<string, string>
}

/** A running service and its first user. */
export type TestServer = Service & {
  /** Token of the first user, an ADMIN of the first workspace. */
  token: string
  /** Id of that workspace; empty: another service made it. */
  workspaceId: string
  /** Sends a request with the first user's token. */
  send(method: string, path: string, sent?: Sent): Promise<Reply>
}

/**
 * Starts the service on a free port over a fresh database, for as long as the test or the file lasts.
 * `variables` are environment variables on top of those that a test needs.
 */
export async function testServer(
  variables: Record<string, string> = {},
  log: Log = silentLog(),
): Promise<TestServer> {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: await testDatabaseUrl(),
    PARLEY_SECRET: "a secret that only tests know of",
    PARLEY_DB_POOL_SIZE: "4",
    // Tests share a machine that is busy with other tests.
    PARLEY_DB_WAIT_MS: "10000",
    PARLEY_STOP_TIMEOUT_MS: "1000",
    PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
    ...variables,
  })
  const service = await startService(config, log)
  whenOver(() => service.stop())
  await postponeJobs(config.databaseUrl ?? "")
  const { token = "", workspaceId = "" } = service.first ?? {}
  return { ...service, token, workspaceId, send: sendTo(service.address, token) }
}

/** Jobs come when a test runs them, and not in the middle of one on a machine that is slow. */
async function postponeJobs(url: string): Promise<void> {
  const names = allJobs.map(({ name }) => `('${name}', timestamptz '2100-01-01')`)
  await runAlone(
    url,
    `insert into jobs (name, run_at) values ${names.join(", ")}
    on conflict (name) do update set run_at = excluded.run_at`,
  )
}

/** Resolves once services have read what was sent to them before: then they answer a further request. */
export async function letArrive(...servers: TestServer[]): Promise<void> {
  await Promise.all(servers.map(({ send }) => send("GET", "/healthz")))
}

/**
 * Sends requests to a service, with a token by default. Fails for refusals that the document lacks, or whose data
 * is not that of their reason.
 */
export function sendTo(address: string, token: string): TestServer["send"] {
  return (method, path, sent = {}) => send(address + path, method, { token, ...sent })
}

async function send(url: string, method: string, { body, token, headers }: Sent): Promise<Reply> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(text !== undefined && { "content-type": "application/json" }),
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
  const answer = await response.text()
  requireDocumented(operationAt(method, new URL(url).pathname), response.status)
  const parsed = answer === "" ? {} : JSON.parse(answer)
  if (response.headers.get("content-type")?.startsWith("application/problem+json"))
    expectData(parsed.reason, parsed.data)
  return { status: response.status, headers: response.headers, body: parsed }
}
