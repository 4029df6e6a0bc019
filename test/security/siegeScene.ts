/** A process of the service for a test file to attack; one that is stuck or dead is started again. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { newToken } from "../../src/people/apiTokens.ts"
import { builtProduct } from "../support/builtProduct.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { ask, type Got } from "../support/siege/ask.ts"
import type { Attack, Door } from "../support/siege/attack.ts"
import { allAttacks } from "../support/siege/attacks/all.ts"
import { openTarget } from "../support/siege/openTarget.ts"
import { Refusal, type Target } from "../support/siege/target.ts"
import { openUpstream } from "../support/siege/upstream.ts"
import { whenOver } from "../support/whenOver.ts"

/** What tests need of the process. */
export type Siege = {
  /** Carries an attack out once, and requires what must have come of it. */
  expectHarmless(attack: Attack): Promise<void>
  target(): Target
}

/** The attacks of these names at one door. */
export function attacksNamed(door: Door, ...names: string[]): Attack[] {
  return names.map((name) => {
    const found = allAttacks.find((attack) => attack.name === name && attack.door === door)
    if (!found) throw new Error(`No attack is called ${name} at this door: ${door}`)
    return found
  })
}

/** For the titles of tests. */
export const titled = (attacks: readonly Attack[]): [title: string, attack: Attack][] =>
  attacks.map((attack) => [`${attack.name} (${attack.door})`, attack])

/** Starts the process; call it at the top level of a test file. */
export async function openSiege(): Promise<Siege> {
  const databaseUrl = await testDatabaseUrl()
  const token = newToken()
  const port = String(await freePort())
  const dataFolder = await mkdtemp(join(tmpdir(), "parley-siege-"))
  const upstream = await openUpstream()
  const variables = {
    PORT: port,
    DATABASE_URL: databaseUrl,
    PARLEY_SECRET: "a secret that only tests know of",
    PARLEY_DATA: dataFolder,
    PARLEY_BOOTSTRAP_EMAIL: "siege@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_DB_WAIT_MS: "10000",
    PARLEY_TRUSTED_PROXIES: "1",
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  }
  let child: ChildProcess | undefined
  let target: Target | undefined
  const address = `http://127.0.0.1:${port}`
  const start = async () => {
    child = await startProcess(variables)
  }
  beforeAll(async () => {
    await start()
    target = await openTarget({ address, token, databaseUrl, upstream })
  })
  whenOver(async () => {
    upstream.close()
    await endProcess(child)
    await rm(dataFolder, { recursive: true, force: true })
  })
  const known = () => {
    if (!target) throw new Error("The process was not started")
    return target
  }
  return {
    target: known,
    async expectHarmless(attack) {
      const got = await attempt(known(), attack)
      const isServing = await serves(known())
      if (!isServing) {
        await endProcess(child)
        await start()
      }
      expect(attack.judge(got)).toBeUndefined()
      expect(isServing).toBe(true)
    },
  }
}

async function attempt(target: Target, attack: Attack): Promise<Got> {
  try {
    return await attack.run(target, 0)
  } catch (error) {
    if (error instanceof Refusal) return error.got
    throw error
  }
}

/** Whether somebody else can chat now. */
async function serves({ address, honestPublicId }: Target): Promise<boolean> {
  const path = `/api/v1/bots/${honestPublicId}/startChat`
  return (await ask(address, { path, body: {}, timeoutMs: 5_000 })).status === 200
}

async function startProcess(variables: Record<string, string>): Promise<ChildProcess> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [join(await builtProduct(), "scripts/start.mjs")], {
    env: { PATH, PARLEY_LOG_LEVEL: "error", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let printed = ""
  return await new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk
      if (/API +http\S+/.test(printed)) resolve(child)
    })
    child.stderr?.on("data", (chunk: Buffer) => {
      printed += chunk
    })
    child.once("close", () => reject(new Error(`The service ended: ${printed}`)))
  })
}

function endProcess(child: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("close", () => resolve())
    child.kill("SIGKILL")
  })
}
