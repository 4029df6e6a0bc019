/** Writes to the ADMINs of inactive workspaces, twice, and suspends those that stay inactive. Nothing is deleted. */
import type { Db } from "../db/connection/openDatabase.ts"
import { inTransaction } from "../db/connection/transactions.ts"
import {
  findInactive,
  forgetLetters,
  type InactivityBounds,
  listRecipients,
  noteLetter,
  withdrawLetter,
} from "../db/people/inactive.ts"
import { lockWorkspace } from "../db/people/workspaces.ts"
import { type MailServer, sendBySmtp } from "../effects/mail/smtp.ts"
import { isFailure } from "../engine/calls.ts"
import { anySignal } from "../lib/anySignal.ts"
import type { PlanLimits } from "../lib/plans.ts"
import type { Log } from "../telemetry/log.ts"
import { openAudit } from "./audit.ts"
import { applyDecision } from "./decideWorkspace.ts"
import { inactivityLetter } from "./inactivityLetter.ts"

const dayMs = 86_400_000
const sendMs = 60_000

/** Max workspaces per run and step: letters go out over hours when many are inactive. */
const maxPerRun = 100

type Deps = {
  db: Db
  log: Log
  planLimits: PlanLimits
  /** Absent: inactive workspaces are left alone. */
  inactivity?: { afterDays: number; server: MailServer; publicUrl: string } | undefined
  now(): number
}

type Work = Deps & { inactivity: NonNullable<Deps["inactivity"]>; signal: AbortSignal }

/** Runs all steps. The second letter follows a third of the time after the first, the suspension a third after that. */
export async function warnInactive(deps: Deps, signal: AbortSignal) {
  const { db, inactivity } = deps
  if (inactivity === undefined) return { active: 0, first: 0, second: 0, suspended: 0 }
  const active = await forgetLetters(db)
  const work: Work = { ...deps, inactivity, signal }
  const suspended = await forEachInactive(work, "suspension", ({ id }) => suspend(work, id))
  const second = await forEachInactive(work, "second", (found) => write(work, "second", found))
  const first = await forEachInactive(work, "first", (found) => write(work, "first", found))
  return { active, first, second, suspended }
}

type Found = { id: string; name: string }

/** Takes a step for the inactive workspaces for which it is time, until one fails. Returns how many it was taken for. */
async function forEachInactive(
  { db, signal, ...work }: Work,
  step: "first" | "second" | "suspension",
  take: (found: Found) => Promise<boolean>,
): Promise<number> {
  let after = ""
  for (let count = 0; count < maxPerRun; count++) {
    signal.throwIfAborted()
    const found = await findInactive(db, step, { ...boundsOf(work), after })
    if (found === undefined || !(await take(found))) return count
    after = found.id
  }
  return maxPerRun
}

function boundsOf({ now, inactivity }: Pick<Work, "now" | "inactivity">): InactivityBounds {
  const { afterDays } = inactivity
  return {
    activeUntil: new Date(now() - afterDays * dayMs),
    mailedUntil: new Date(now() - thirdOf(afterDays) * dayMs),
  }
}

const thirdOf = (days: number) => Math.ceil(days / 3)

/** Sends a letter to each ADMIN. Noted first: a process that dies meanwhile repeats none. */
async function write(
  { db, log, inactivity, now, signal }: Work,
  letter: "first" | "second",
  { id: workspaceId, name }: Found,
): Promise<boolean> {
  const { afterDays, server, publicUrl } = inactivity
  const at = new Date(now())
  const noted = { workspaceId, letter, at }
  if (!(await noteLetter(db, noted))) return true
  const third = thirdOf(afterDays)
  const [days, thirdsLeft] = letter === "first" ? [afterDays, 2] : [afterDays + third, 1]
  const suspendedAt = new Date(at.getTime() + thirdsLeft * third * dayMs)
  let isSent = false
  for (const { email, language } of await listRecipients(db, workspaceId)) {
    const text = inactivityLetter(language, { name, days, suspendedAt, publicUrl })
    const mail = { to: [email], ...text, files: [], attachesOnlyUploads: false }
    const ended = anySignal([signal, AbortSignal.timeout(sendMs)])
    const sent = await sendBySmtp(server, mail, { signal: ended })
    if (!isFailure(sent)) {
      isSent = true
      continue
    }
    const { description: why, details = "" } = sent
    log.warn({ workspaceId, why, details: details.replaceAll(email, "…") }, "A letter was not sent")
    // With 5xx, the server will never take a mail to that address.
    if (isSent || details.startsWith("5")) continue
    await withdrawLetter(db, noted)
    return false
  }
  return true
}

async function suspend({ db, planLimits, ...work }: Work, workspaceId: string): Promise<boolean> {
  const input = { workspaceId }
  const audit = openAudit({ isByOperator: true, operationId: "suspendInactive", input })
  audit.about(workspaceId)
  await inTransaction({ kysely: db.kysely, changeLog: audit }, async (kysely) => {
    const locked = { kysely }
    if (!(await lockWorkspace(locked, workspaceId))) return false
    // A change that came before the lock counts.
    const still = { ...boundsOf(work), id: workspaceId }
    if (!(await findInactive(locked, "suspension", still))) return false
    await applyDecision(locked, { workspaceId, decision: { isSuspended: true }, planLimits })
    return true
  })
  return true
}
