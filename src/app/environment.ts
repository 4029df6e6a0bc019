/** Parses environment variables, and says which of them belong together. */
import { isIP } from "node:net"
import { z } from "zod"
import type { Rate } from "../http/rateLimit.ts"
import { letterDistance } from "../http/rest/nearestRoute.ts"
import { type PlanLimit, plans } from "../lib/plans.ts"

/** `on` or `off`, or one of their usual synonyms. */
export const flag = z
  .enum(["on", "off", "true", "false", "1", "0"], "must be on or off")
  .transform((word) => word === "on" || word === "true" || word === "1")

export function wholeNumber(least: number, most: number) {
  const words = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .refine((number) => number >= least && number <= most, words)
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(", ")}`)
}

/** One of two words, as a boolean that is true for the first. */
export function either(on: string, off: string) {
  return oneOf([on, off]).transform((word) => word === on)
}

export const megabyte = 1024 * 1024

/** A whole number of megabytes, in bytes; `usual` is the default. */
export function megabytes(least: number, most: number, usual: number) {
  return wholeNumber(least, most)
    .default(usual)
    .transform((count) => count * megabyte)
}

/** Texts separated by commas. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
)

/** A name server: an IP address, perhaps with a port. */
export const nameServer = z
  .string()
  .refine(
    (text) => isIP(text.replace(/^\[(.+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, "$1$2")) !== 0,
    "must be a list of IP addresses, perhaps with ports, such as 127.0.0.1:53",
  )

/** A web address, without slashes at its end. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an address with http:// or https://" })
  .transform((text) => text.replace(/\/+$/, ""))

/** The origin of a web address, as browsers name it. */
export const webOrigin = webAddress.transform((address) => new URL(address).origin)

/** An address that is an origin, without a path. */
export const bareOrigin = webAddress
  .refine((address) => new URL(address).pathname === "/", "must be an address without a path")
  .transform((address) => new URL(address).origin)

/** Whether what is percent-encoded in an address can be decoded. */
export function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address)
    return true
  } catch {
    return false
  }
}

export const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be an address with postgres://",
})

/** Rates by action: `continueChat=10/50,management=20/100`. */
export const rateList = list.transform((parts, context) => {
  const rates: Record<string, Rate> = {}
  for (const part of parts) {
    const [, action, perSecond, burst] = /^(\w+)=(\d{1,6}(?:\.\d+)?)\/(\d{1,7})$/.exec(part) ?? []
    const rate = { perSecond: Number(perSecond), burst: Number(burst) }
    if (action === undefined || rate.perSecond === 0 || rate.burst === 0) {
      return refuse(context, "must be a list like continueChat=10/50")
    }
    rates[action] = rate
  }
  return rates
})

/** A number of files and their total size: `50/100`, in megabytes. */
export const fileAmount = z.string().transform((text, context) => {
  const [, files, megabytes] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
  if (Number(files) >= 1 && Number(megabytes) >= 1) {
    return { files: Number(files), bytes: Number(megabytes) * megabyte }
  }
  return refuse(context, "must be files/megabytes, like 50/100")
})

/** Limits by plan: `FREE=500/3,PRO=-/10/2000000`. */
export const planLimitList = list.transform((parts, context) => {
  const limits: Record<string, PlanLimit> = {}
  for (const part of parts) {
    const form = /^([A-Z]+)=(\d{1,9}|-)\/(\d{1,9}|-)(?:\/(\d{1,12}|-))?$/
    const [, plan, chats, seats, tokens] = form.exec(part) ?? []
    if (plan === undefined || !plans.some((known) => known === plan)) {
      return refuse(context, "must be a list like FREE=500/3,PRO=-/10/2000000")
    }
    limits[plan] = {
      ...(chats !== "-" && { chats: Number(chats) }),
      ...(seats !== "-" && { seats: Number(seats) }),
      ...(tokens !== undefined && { modelTokens: tokens === "-" ? Infinity : Number(tokens) }),
    }
  }
  return limits
})

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}

/** Suggests the most similar name, or says that the variable is ignored if none is similar. */
export function nearestWords(name: string, known: readonly string[]): string {
  const nearest = nearestOf(name.toUpperCase(), known, 1 / 4)
  return nearest === undefined ? "it is ignored." : `did you mean ${nearest}?`
}

/** Max similar word, of whose letters at most `share` differ; undefined if there is none. */
export function nearestOf(
  word: string,
  known: readonly string[],
  share: number,
): string | undefined {
  const [nearest] = known
    .map((each) => ({ each, distance: letterDistance(word, each) }))
    .filter(({ each, distance }) => distance <= each.length * share)
    .sort((one, other) => one.distance - other.distance)
  return nearest?.each
}

const partners = [
  ["PARLEY_SMTP_URL", "PARLEY_SMTP_FROM"],
  ["PARLEY_GOOGLE_CLIENT_ID", "PARLEY_GOOGLE_CLIENT_SECRET"],
  ["PARLEY_OIDC_ISSUER", "PARLEY_OIDC_CLIENT_ID", "PARLEY_OIDC_CLIENT_SECRET"],
  [
    "PARLEY_S3_ENDPOINT",
    "PARLEY_S3_BUCKET",
    "PARLEY_S3_ACCESS_KEY_ID",
    "PARLEY_S3_SECRET_ACCESS_KEY",
  ],
] as const

/** A sentence for each missing variable that a given one needs. */
export function missingPartners(variables: Readonly<Record<string, string | undefined>>): string[] {
  return partners.flatMap((names) => {
    const missing = names.filter((name) => !variables[name])
    const given = names.find((name) => variables[name])
    if (given === undefined) return []
    return missing.map((name) => `${name} must be set when ${given} is.`)
  })
}

const needs = [
  ["PARLEY_CONTROL_DATABASE_URL", "DATABASE_URL"],
  ["PARLEY_BOOTSTRAP_TOKEN", "PARLEY_BOOTSTRAP_EMAIL"],
  ["PARLEY_INACTIVE_AFTER_DAYS", "PARLEY_SMTP_URL"],
  ["PARLEY_OIDC_DOMAINS", "PARLEY_OIDC_ISSUER"],
] as const

/** A sentence for each given variable that is of no use without another. */
export function missingNeeds(variables: Readonly<Record<string, string | undefined>>): string[] {
  return needs
    .filter(([name, needed]) => variables[name] && !variables[needed])
    .map(([name, needed]) => `${name} needs ${needed}.`)
}
