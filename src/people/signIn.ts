/** Signs people in: opens their sessions, makes links that do so once, and finds or makes their accounts. */
import type { Db } from "../db/connection/openDatabase.ts"
import { acceptBotInvitation, listOwnBotInvitations } from "../db/people/botInvitations.ts"
import { listOwnInvitations } from "../db/people/invitations.ts"
import { findSignInLink, insertSignInLink, takeSignInLink } from "../db/people/signInCodes.ts"
import { insertUserSession } from "../db/people/userSessions.ts"
import { findUserByEmail, insertUser } from "../db/people/users.ts"
import { AppError } from "../lib/errors.ts"
import { newId, newUuid, randomText } from "../lib/ids.ts"
import { hashToken, newSessionSecret } from "./apiTokens.ts"
import { openAudit } from "./audit.ts"
import { joinWorkspace } from "./joinWorkspace.ts"

const dayMs = 86_400_000
/** Lifetime of a session from sign-in. */
/** How long a browser stays signed in. */
export const sessionMs = 30 * dayMs
const linkSeconds = 600
const linkLength = 43
const maxUserAgentLength = 300
/** Max invitations accepted at a first sign-in, since anyone may invite anyone; others stay pending. */
const maxInvitations = 100

export type SignInMethod = "link" | "mail" | "openId"

type NewSession = { userId: string; method: SignInMethod; userAgent: string | undefined }

/** Creates a session. The secret goes into the cookie, and cannot be read again. */
export async function createUserSession(
  db: Db,
  { userId, method, userAgent }: NewSession,
): Promise<{ secret: string; seconds: number }> {
  const secret = newSessionSecret()
  await insertUserSession(db, {
    id: newId(),
    userId,
    method,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    secretHash: hashToken(secret),
    expiresAt: new Date(Date.now() + sessionMs),
  })
  return { secret, seconds: sessionMs / 1_000 }
}

/** The address of a page that signs a user in once, within ten minutes, and goes on at `next`. */
export async function newSignInLink(
  db: Db,
  { userId, serviceUrl, next }: { userId: string; serviceUrl: string; next?: string | undefined },
): Promise<string> {
  const code = randomText(linkLength)
  await insertSignInLink(db, { codeHash: hashToken(code), userId, seconds: linkSeconds })
  const query = new URLSearchParams({ code, ...(next !== undefined && { next }) })
  return `${serviceUrl.replace(/\/+$/, "")}/signIn/link?${query}`
}

/** The address of whom a link would sign in. Resolves to undefined when it does not work. */
export async function ownerOfLink(db: Db, code: string): Promise<string | undefined> {
  return (await findSignInLink(db, hashToken(code)))?.email
}

/** The user of a link, which no longer works. Resolves to undefined when it did not before. */
export async function redeemLink(db: Db, code: string): Promise<string | undefined> {
  return await takeSignInLink(db, hashToken(code))
}

/** The owner of a proven address. */
export type Proven = {
  /** As it is stored. */
  email: string
  name?: string | undefined
  /** Whether they get an account without an invitation. */
  mayRegister: boolean
}

/** Whether an address may sign in: it has an account that is not disabled, or none but an invitation. */
export async function isKnownAddress(db: Db, email: string): Promise<boolean> {
  const known = await findUserByEmail(db, email)
  if (known) return known.disabledAt === null
  const lists = [listOwnInvitations, listOwnBotInvitations]
  const found = await Promise.all(lists.map((list) => list(db, { email, limit: 1 })))
  return found.flat().length > 0
}

/**
 * The user with this address. The first sign-in makes the account and accepts the invitations of the
 * address to workspaces and bots. Resolves to undefined for a disabled account, and for an address that
 * has neither account nor invitation and may not register.
 */
export async function admitProven(db: Db, proven: Proven): Promise<string | undefined> {
  const { email, name = null, mayRegister } = proven
  const known = await findUserByEmail(db, email)
  if (known) return known.disabledAt === null ? known.id : undefined
  const wanted = { email, limit: maxInvitations }
  const invitations = await listOwnInvitations(db, wanted)
  const shared = await listOwnBotInvitations(db, wanted)
  if (invitations.length + shared.length === 0 && !mayRegister) return undefined
  const isNew = await insertUser(db, { id: newId(), email, name, emailVerifiedAt: new Date() })
  const person = await findUserByEmail(db, email)
  // Of two first sign-ins at once, one makes the account and accepts.
  if (isNew && person) {
    const logged = asIfBy(db, person)
    for (const invitation of invitations) {
      const change = logged("acceptInvitation", { invitationId: invitation.id })
      await joinWorkspace(change, { invitation, person }).catch(passOver)
    }
    for (const { id: invitationId, botId } of shared) {
      const change = logged("acceptBotInvitation", { invitationId, botId })
      await acceptBotInvitation(change, { invitationId, user: person })
    }
  }
  return person?.id
}

/** The database for changes that the audit log has as if the person had made them by themselves. */
function asIfBy(db: Db, person: { id: string; email: string }) {
  const user = { ...person, isPlatformAdmin: false, tokenId: `first-sign-in-${newUuid()}` }
  return (operationId: string, input: object): Db => ({
    ...db,
    changeLog: openAudit({ user, operationId, input }),
  })
}

/** An invitation that was withdrawn meanwhile. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}
