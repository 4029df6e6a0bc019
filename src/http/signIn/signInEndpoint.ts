/** Signs people in and out: sets the cookie, and takes it away. Answers forms with pages, JSON with JSON. */
import { z } from "zod"
import { deleteUserSession } from "../../db/people/userSessions.ts"
import { AppError, badRequest, forbidden, unauthorized } from "../../lib/errors.ts"
import { sessionIn } from "../../people/caller.ts"
import { emailSchema } from "../../people/mailAddress.ts"
import type { MailCodes } from "../../people/mailCodes.ts"
import {
  admitPage,
  cookieIn,
  cookieName,
  cookieProblem,
  setCookie,
} from "../../people/sessionCookie.ts"
import {
  admitProven,
  createUserSession,
  ownerOfLink,
  redeemLink,
  type SignInMethod,
} from "../../people/signIn.ts"
import {
  createContext,
  type LimitedAction,
  type RequestFacts,
  type Services,
} from "../../routers/context.ts"
import { describeRefusal } from "../../routers/refusal.ts"
import { addVary, callingOrigins, redirect, refuseMethod, sendText } from "../answer.ts"
import { readMembers, readText } from "../bodies/body.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { acceptsHtml, type Html } from "../pages/html.ts"
import { openerOf } from "../pages/opener.ts"
import { isNavigation } from "../pages/ownPage.ts"
import { factsOf } from "../rest/rest.ts"
import { nextIn, type OpenId, requireBegun } from "./openId.ts"
import {
  codeBody,
  linkBody,
  problemBody,
  sendSignInPage,
  signedInBody,
  waysBody,
} from "./signInPages.ts"

/** The ways to sign in; absent ones are not offered. */
export type SignInOptions = {
  services: Services
  mail?: MailCodes | undefined
  openId?: OpenId | undefined
}

/** One request: its input, and whether its answer is JSON. */
type Asked = SignInOptions & {
  exchange: Exchange
  sent: Readonly<Record<string, unknown>>
  isJson: boolean
  /** The target: a path on this service, or a page of an allowed origin or of this machine. */
  next: string
}

type Step = (asked: Asked) => Promise<void>

const maxBody = 8 * 1024
const stateSeconds = 10 * 60
/** A cookie keeps it during the visit to the provider, and browsers drop cookies over 4 kB. */
const maxNextLength = 1_000

const reads: Readonly<Record<string, Step>> = {
  "/signIn": showWays,
  "/signIn/link": showLink,
  "/signIn/openId": beginOpenId,
  "/signIn/openId/callback": completeOpenId,
}

const changes: Readonly<Record<string, Step>> = {
  "/signIn/link": takeLink,
  "/signIn/mail": sendCode,
  "/signIn/code": takeCode,
  "/signIn/page": goOn,
  "/signOut": signOut,
}

/** Answers below `/signIn` and at `/signOut`. */
export function createSignInEndpoint(options: SignInOptions): Endpoint {
  return {
    path: /^\/sign(?:In(?:\/link|\/mail|\/code|\/page|\/openId(?:\/callback)?)?|Out)$/,
    operation: "signIn",
    origins: callingOrigins(options.services.settings),
    answer: (exchange) => answer(options, exchange),
  }
}

async function answer(options: SignInOptions, exchange: Exchange): Promise<void> {
  const { method, path, search } = exchange
  const isRead = method === "GET" || method === "HEAD"
  const step = isRead ? reads[path] : method === "POST" ? changes[path] : undefined
  if (step === undefined) {
    const allowed = [path in reads && "GET, HEAD", path in changes && "POST"].filter(Boolean)
    refuseMethod(exchange, allowed.join(", "), `This path takes ${allowed.join(", ")} alone`)
  }
  addVary(exchange, "accept")
  const isJson = isRead ? !acceptsHtml(exchange) : !isForm(exchange)
  let next = "/"
  try {
    const sent = isRead ? Object.fromEntries(new URLSearchParams(search)) : await readSent(exchange)
    const isBack = path === "/signIn/openId/callback"
    const wanted = isBack ? nextIn(keptIn(exchange, options.services)) : sent.next
    next = placeIn(wanted, options.services.settings)
    // Only now, so that a refused sign-in keeps its target page.
    if (!isRead) await requireFewFromOwnPages(options, exchange, sent)
    await step({ ...options, exchange, sent, isJson, next })
  } catch (error) {
    if (isJson || !(error instanceof AppError)) throw error
    const { status, message } = describeRefusal(error)
    const body = () => problemBody(message, next)
    await sendSignInPage(exchange, options.services.settings, { status, body })
  }
}

function isForm({ request }: Exchange): boolean {
  const type = headerOf(request, "content-type") ?? ""
  return /^application\/x-www-form-urlencoded\b/i.test(type)
}

async function readSent(exchange: Exchange): Promise<Asked["sent"]> {
  if (!isForm(exchange)) return await readMembers(exchange, { maxBytes: maxBody })
  return Object.fromEntries(new URLSearchParams(await readText(exchange, maxBody)))
}

/**
 * Refuses sign-ins and sign-outs from pages of other origins and from chat pages, which have no secret, and
 * limits guesses.
 */
async function requireFewFromOwnPages(
  { services }: SignInOptions,
  exchange: Exchange,
  sent: Asked["sent"],
): Promise<void> {
  const isLeaving = exchange.path === "/signOut"
  const isSignedIn = isLeaving || exchange.path === "/signIn/page"
  const facts = factsOfForm(exchange, sent)
  const name = cookieName(services.settings, isSignedIn ? "session" : "form")
  const cookie = cookieIn(facts.cookie ?? "", name)
  const problem = cookieProblem(services.settings, facts, cookie)
  if (problem === "page") {
    throw new AppError(
      "ORIGIN_REFUSED",
      "People sign in and out from pages of this service, or of PARLEY_ALLOWED_ORIGINS, alone",
    )
  }
  // Without a session there is nothing to end.
  if (problem === "secret" && !(isLeaving && cookie === undefined)) {
    throw new AppError("ORIGIN_REFUSED", unprovenForm)
  }
  await limit({ services, exchange }, "signIn", exchange.ip)
}

const unprovenForm =
  "People sign in and out by the forms of this service, which send a secret that they get when a person " +
  "opens them, and that this browser has kept no longer than a day: start again"

/** The facts of a request whose body may hold the secret, as forms send it. */
function factsOfForm(exchange: Exchange, { session }: Asked["sent"]): RequestFacts {
  const facts = factsOf(exchange)
  if (typeof session !== "string") return facts
  return { ...facts, pageFacts: () => ({ ...facts.pageFacts?.(), secret: session }) }
}

async function limit(
  { services, exchange }: { services: Services; exchange: Exchange },
  action: LimitedAction,
  key: string,
): Promise<void> {
  await createContext(services, factsOf(exchange)).limit(action, key)
}

/**
 * The target after sign-in: a path of this service, or a page of an allowed origin or of another program
 * on this machine. Other targets lead to the first page.
 */
function placeIn(sent: unknown, { publicUrl, allowedOrigins, isLocalPage }: Services["settings"]) {
  if (typeof sent !== "string" || !URL.canParse(sent, publicUrl)) return "/"
  const { origin, pathname, search, hash, href } = new URL(sent, publicUrl)
  const path = pathname + search + hash
  const isPath =
    sent.startsWith("/") && origin === new URL(publicUrl).origin && !path.startsWith("//")
  const place = isPath ? path : href
  const isKnown = isPath || allowedOrigins.includes(origin) || isLocalPage?.(origin) === true
  return isKnown && place.length <= maxNextLength ? place : "/"
}

/** The origin of a page that counts once a user has confirmed it; undefined for all other targets. */
function localOriginOf(next: string, settings: Services["settings"]): string | undefined {
  if (next.startsWith("/")) return undefined
  const { origin } = new URL(next)
  const isListed = settings.allowedOrigins.includes(origin)
  return !isListed && settings.isLocalPage?.(origin) === true ? origin : undefined
}

/** A text that was sent. Throws a 400 without it. */
function textIn({ sent }: Asked, name: string, schema: z.ZodType<string>): string {
  const { success, data } = schema.safeParse(sent[name])
  if (success) return data
  throw badRequest(`\`${name}\` is missing, or has another form`)
}

const codeSchema = z.string().trim().min(1).max(100)

async function showWays(asked: Asked): Promise<void> {
  const { exchange, services, mail, openId, next, isJson } = asked
  const ways = { mail: mail !== undefined, openId: openId !== undefined }
  if (isJson) return sendText(exchange, 200, JSON.stringify({ ways }))
  const person = await openerOf(services, exchange)
  const isLocal = localOriginOf(next, services.settings) !== undefined
  const body = (field: Html) =>
    person ? signedInBody(person, next, isLocal) : waysBody(ways, next, field)
  await sendSignInPage(exchange, services.settings, { next, body, leaves: person !== undefined })
}

/** Admits a local page for the session after consent, and redirects to it. */
async function goOn({ exchange, services: { settings }, next }: Asked): Promise<void> {
  const { headers } = exchange.request
  admitNext(exchange, settings, { next, session: sessionIn({ settings }, headers) })
  redirect(exchange, 303, next)
}

function admitNext(
  exchange: Exchange,
  settings: Services["settings"],
  { next, session }: { next: string; session: string | undefined },
): void {
  const origin = localOriginOf(next, settings)
  if (origin === undefined || session === undefined) return
  const header = exchange.request.headers.cookie
  exchange.response.appendHeader("set-cookie", admitPage(settings, origin, { header, session }))
}

async function showLink(asked: Asked): Promise<void> {
  const { exchange, services, next } = asked
  const code = textIn(asked, "code", codeSchema)
  const email = await ownerOfLink(services.db, code)
  if (email === undefined) throw unauthorized(spentLink)
  const body = (field: Html) => linkBody({ email, code, next }, field)
  await sendSignInPage(exchange, services.settings, { next, body })
}

async function takeLink(asked: Asked): Promise<void> {
  const code = textIn(asked, "code", codeSchema)
  const userId = await redeemLink(asked.services.db, code)
  if (userId === undefined) throw unauthorized(spentLink)
  await enter(asked, { userId, method: "link" })
}

const spentLink = "This link was used before, or is older than ten minutes: make another one"

const noMail = "This service sends no codes: its operator has set no PARLEY_SMTP_URL"

async function sendCode(asked: Asked): Promise<void> {
  const { exchange, services, mail, next, isJson } = asked
  if (mail === undefined) throw badRequest(noMail)
  const email = textIn(asked, "email", emailSchema)
  await limit({ services, exchange }, "signInByEmail", email)
  // Not awaited: its duration would reveal who has an account.
  mail.send(email)
  if (isJson) return sendText(exchange, 200, JSON.stringify({ message: "success" }))
  const body = (field: Html) => codeBody({ email, next }, field)
  await sendSignInPage(exchange, services.settings, { next, body })
}

async function takeCode(asked: Asked): Promise<void> {
  const { exchange, services, mail, next, isJson } = asked
  if (mail === undefined) throw badRequest(noMail)
  const email = textIn(asked, "email", emailSchema)
  const code = textIn(asked, "code", codeSchema)
  await limit({ services, exchange }, "signInByEmail", email)
  const isRight = await mail.redeem(email, code)
  const userId = isRight ? await admitProven(services.db, { email, mayRegister: false }) : undefined
  if (userId !== undefined) return await enter(asked, { userId, method: "mail" })
  const problem = "This is not the code that was sent last, or it is older than ten minutes"
  if (isJson) throw unauthorized(problem)
  const body = (field: Html) => codeBody({ email, next, problem: `${problem}.` }, field)
  await sendSignInPage(exchange, services.settings, { next, status: 401, body })
}

async function beginOpenId({ exchange, services: { settings }, openId, next }: Asked) {
  if (openId === undefined) throw badRequest(noOpenId)
  // A picture in a chat must not replace a sign-in in progress.
  if (headerOf(exchange.request, "sec-fetch-dest") && !isNavigation(exchange)) {
    throw new AppError("ORIGIN_REFUSED", "People open this address themselves, to sign in")
  }
  const { address, kept } = await openId.begin(next)
  const cookie = setCookie(settings, { name: "sign_in", value: kept, seconds: stateSeconds })
  exchange.response.appendHeader("set-cookie", cookie)
  redirect(exchange, 303, address)
}

const noOpenId = "This service knows no provider: its operator has set no PARLEY_OIDC_ISSUER"

async function completeOpenId(asked: Asked): Promise<void> {
  const { exchange, services, openId } = asked
  const { db, settings } = services
  if (openId === undefined) throw badRequest(noOpenId)
  const kept = keptIn(exchange, services)
  // Only sign-ins begun by this browser count: pictures of other pages may lead here, too.
  requireBegun(exchange.search, kept)
  await limit({ services, exchange }, "signIn", exchange.ip)
  const forgotten = setCookie(settings, { name: "sign_in", value: "", seconds: 0 })
  exchange.response.appendHeader("set-cookie", forgotten)
  const { email, name, mayRegister } = await openId.complete(exchange.search, kept)
  const userId = await admitProven(db, { email, name, mayRegister })
  if (userId === undefined) {
    throw forbidden(`${email} has no account here that may sign in, and no invitation`)
  }
  await enter({ ...asked, isJson: false }, { userId, method: "openId" })
}

/** The cookie of a sign-in in progress at the provider. */
function keptIn({ request }: Exchange, { settings }: Services): string | undefined {
  return cookieIn(request.headers.cookie ?? "", cookieName(settings, "sign_in"))
}

/** Opens a session, and hands its cookie over. */
async function enter(
  { exchange, services, next, isJson }: Asked,
  { userId, method }: { userId: string; method: SignInMethod },
): Promise<void> {
  const { db, settings, log } = services
  const userAgent = headerOf(exchange.request, "user-agent")
  const { secret, seconds } = await createUserSession(db, { userId, method, userAgent })
  const cookie = setCookie(settings, { name: "session", value: secret, seconds })
  exchange.response.appendHeader("set-cookie", cookie)
  log.info({ userId, method, requestId: exchange.requestId }, "A user signed in")
  if (isJson) return sendText(exchange, 200, JSON.stringify({ message: "success" }))
  const isUnread = method === "openId" && localOriginOf(next, settings) !== undefined
  // Any page can send a browser to the provider and back, so consent is still missing.
  if (isUnread) return redirect(exchange, 303, `/signIn?${new URLSearchParams({ next })}`)
  admitNext(exchange, settings, { next, session: secret })
  redirect(exchange, 303, next)
}

async function signOut({ exchange, services, openId, isJson, sent }: Asked): Promise<void> {
  const { db, settings, forgetToken } = services
  const caller = await createContext(services, factsOfForm(exchange, sent)).authenticate(true)
  const ended = caller?.isSignedIn
    ? await deleteUserSession(db, { id: caller.tokenId, userId: caller.id })
    : undefined
  if (ended) await forgetToken(ended.id)
  const forgotten = setCookie(settings, { name: "session", value: "", seconds: 0 })
  exchange.response.appendHeader("set-cookie", forgotten)
  // The provider keeps a session of its own, which would sign the next person in.
  const continueAt = ended?.method === "openId" ? await openId?.endAddress() : undefined
  if (!isJson) return redirect(exchange, 303, continueAt ?? "/signIn")
  sendText(exchange, 200, JSON.stringify({ message: "success", continueAt }))
}
