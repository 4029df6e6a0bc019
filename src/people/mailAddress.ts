/** E-mail addresses of people: the one form in which they are kept and compared. */
import { z } from "zod"
import { plainHost } from "../lib/plainHost.ts"

/**
 * An e-mail address as it is kept and compared: in lower case, its domain in plain form. Letters of other
 * alphabets in front of the domain stay, and are refused: lower case makes plain letters of some of them.
 */
export function plainEmail(email: string): string {
  const [, name = email, domain] = /^(.*)@([^@]*)$/s.exec(email.trim()) ?? []
  const plainName = name.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return domain === undefined ? plainName : `${plainName}@${plainHost(domain)}`
}

// The usual pattern takes no top-level domain of another alphabet.
const addressPattern =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[a-z0-9-]+)$/

/** Reads an e-mail address in any spelling into its plain form. Absent error: the usual words. */
export function mailAddress(error?: string) {
  const form = { pattern: addressPattern, ...(error !== undefined && { error }) }
  return z.string().overwrite(plainEmail).max(254).check(z.email(form))
}

export const emailSchema = mailAddress()
