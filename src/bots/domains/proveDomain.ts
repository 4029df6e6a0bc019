/** Proves by the DNS that a domain belongs to a workspace, and looks again now and then. */
import { createHmac } from "node:crypto"
import {
  deleteProof,
  deleteUnnamedProofs,
  findHolder,
  listDueProofs,
  noteLoss,
  notePostponed,
  saveProof,
} from "../../db/bots/customDomains.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { DomainRecords } from "../../effects/network/domainRecords.ts"

/** What looks at a proof. */
export type Proving = {
  db: Db
  records: DomainRecords
  /** From which the values of proofs are made: it never changes. */
  namingKey: Buffer
}

type Claim = { host: string; workspaceId: string }

/** The TXT record that proves a host for a workspace, and for no other. */
export function proofFor(
  { namingKey }: Pick<Proving, "namingKey">,
  { host, workspaceId }: Claim,
): { name: string; value: string } {
  const bound = JSON.stringify(["custom domain", workspaceId, host])
  const value = createHmac("sha256", namingKey).update(bound).digest("hex").slice(0, 32)
  return { name: `_parley-challenge.${host}`, value: `parley-${value}` }
}

/** Days that a proof stays although its record is missing, so that no slip in a zone ends a service. */
const graceDays = 3

/** Looks for the record of a claim. Returns undefined when the name servers do not answer. */
async function lookFor(proving: Proving, claim: Claim): Promise<boolean | undefined> {
  const { name, value } = proofFor(proving, claim)
  const found = await proving.records.texts(name)
  if (found === "unreachable") return undefined
  return found !== "missing" && found.values.includes(value)
}

/**
 * Looks at the claim of a workspace, and stores what it finds. Of two workspaces with records the one that has
 * proven the host last has it; one whose record is gone loses it to one that has one. Returns whether the workspace has
 * the host now.
 */
export async function proveDomain(proving: Proving, claim: Claim): Promise<boolean> {
  const { db } = proving
  const { host, workspaceId } = claim
  const isThere = await lookFor(proving, claim)
  if (isThere) {
    await saveProof(db, claim)
    await deleteUnnamedProofs(db, workspaceId)
    const holder = await findHolder(db, host)
    if (holder !== undefined && holder !== workspaceId) {
      const other = { host, workspaceId: holder }
      if ((await lookFor(proving, other)) === false) await deleteProof(db, other)
    }
  } else if (isThere === false) await noteLoss(db, claim, graceDays)
  return (await findHolder(db, host)) === workspaceId
}

const dayMs = 86_400_000
const batchSize = 1_000
/** Lookups at a time: each waits for servers that others run. */
const lookupsAtOnce = 20

/** Looks at proofs once a day, so that a domain with another owner does not stay with the former one. */
export async function recheckDomains(
  { now, ...proving }: Proving & { now(): number },
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const before = new Date(now() - dayMs)
  const due = await listDueProofs(proving.db, { before, limit: batchSize })
  const done = { proven: 0, missing: 0, unreachable: 0 }
  const lookAtNext = async (): Promise<void> => {
    const claim = signal.aborted ? undefined : due.pop()
    if (claim === undefined) return
    const isThere = await lookFor(proving, claim)
    if (isThere === undefined) await notePostponed(proving.db, claim)
    else if (isThere) await saveProof(proving.db, claim)
    else await noteLoss(proving.db, claim, graceDays)
    done[isThere === undefined ? "unreachable" : isThere ? "proven" : "missing"] += 1
    await lookAtNext()
  }
  await Promise.all(Array.from({ length: lookupsAtOnce }, lookAtNext))
  return done
}
