/** Puts the secrets of a credential into templates. */
import type { Secret, Template } from "../../engine/calls.ts"
import type { CredentialData } from "./credentialTypes.ts"

/** A credential lacks a member that a template needs. */
export class MissingSecretError extends Error {
  override name = "MissingSecretError"
}

/** The text; throws a MissingSecretError. */
export function fill(template: Template, data: CredentialData): string {
  if (typeof template === "string") return template
  return template.map((part) => (typeof part === "string" ? part : reveal(part, data))).join("")
}

/** Whether a template has a secret in it. */
export function isSecret(template: Template): boolean {
  return typeof template !== "string" && template.some((part) => typeof part !== "string")
}

function reveal({ secret, fallback, as }: Secret, data: CredentialData): string {
  const member = Object.hasOwn(data, secret) ? data[secret] : undefined
  const isAbsent = member === undefined || member === null || member === ""
  const value = isAbsent ? fallback : member
  if (value === undefined) throw new MissingSecretError(`The account has no "${secret}"`)
  if (as === "json") return JSON.stringify(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  if (as === "base") return text.replace(/\/+$/, "")
  return as === "origin" && URL.canParse(text) ? new URL(text).origin : text
}
