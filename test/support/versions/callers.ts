/** Callers that change one bot at the same time, and remember what was acknowledged. */
import { saidIn, saying } from "../saying.ts"

/** Sends a request to the management API: paths begin after `/api/v1`. */
export type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>

/** A change that was acknowledged. */
export type Change =
  | { kind: "patch" | "restore"; text: string; updatedAt: string }
  | { kind: "publish" | "rollback"; version: number; note: string }
  | { kind: "unpublish" }

/** What one caller did, in order; `unexpected` are answers that no caller should get. */
export type CallerRecord = { changes: Change[]; unexpected: string[] }

/** What a caller works on. */
export type Job = { call: Call; botId: string; name: string; random: () => number }

/** Changes the bot until it is stopped; each change waits for the answer to the one before. */
export async function changeBot(
  job: Job,
  isOver: (done: number) => boolean,
): Promise<CallerRecord> {
  const record: CallerRecord = { changes: [], unexpected: [] }
  for (let done = 0; !isOver(done); done++) {
    const { kind, status, body, change } = await changeOnce(job, done)
    if (status === 200) record.changes.push(change(body))
    else if (!mayRefuse[kind].includes(status)) {
      record.unexpected.push(`${kind}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    }
  }
  return record
}

/** Expected refusals: never live, not there yet, changed meanwhile, not published. */
const mayRefuse = {
  patch: [409],
  restore: [404, 409],
  publish: [] as number[],
  rollback: [400, 404],
  unpublish: [404],
}

type Tried = {
  kind: keyof typeof mayRefuse
  status: number
  body: Record<string, unknown>
  change(body: Record<string, unknown>): Change
}

async function changeOnce({ call, botId, name, random }: Job, done: number): Promise<Tried> {
  const path = `/bots/${botId}`
  const note = `${name}.${done}`
  const dice = random()
  const draftOf = (kind: "patch" | "restore") => (body: Record<string, unknown>) => {
    const bot = body.bot as { updatedAt: string; groups: unknown }
    return { kind, text: saidIn(bot) ?? "", updatedAt: bot.updatedAt }
  }
  if (dice < 0.45) {
    const reply = await call("PATCH", path, { bot: saying(note) })
    return { kind: "patch", ...reply, change: draftOf("patch") }
  }
  if (dice < 0.65) {
    const reply = await call("POST", `${path}/publish`, { note })
    return { kind: "publish", ...reply, change: liveOf("publish", note) }
  }
  // Numbers beyond the last one are refused.
  const version = 1 + Math.floor(random() ** 2 * (4 + done))
  if (dice < 0.8) {
    const reply = await call("POST", `${path}/restoreDraft`, { version })
    return { kind: "restore", ...reply, change: draftOf("restore") }
  }
  if (dice < 0.95) {
    const reply = await call("POST", `${path}/rollback`, { version, note })
    return { kind: "rollback", ...reply, change: liveOf("rollback", note) }
  }
  const reply = await call("POST", `${path}/unpublish`)
  return { kind: "unpublish", ...reply, change: () => ({ kind: "unpublish" }) }
}

function liveOf(kind: "publish" | "rollback", note: string) {
  return ({ version }: Record<string, unknown>): Change => ({
    kind,
    version: Number(version),
    note,
  })
}
