/** Reads mail addresses from an author's text; each variable value is one address. */
import { interpolate, isTainted, tokenValue } from "../variables/interpolate.ts"
import type { BlockContext } from "./block.ts"

/**
 * The addresses of a list. A value is always one address. Several need several entries, separators of the
 * author, or a list that no visitor filled.
 */
export function addressesOf(
  entries: readonly string[] | undefined,
  context: BlockContext,
): string[] {
  return (entries ?? []).flatMap((entry) => {
    const value = tokenValue(entry, context)
    if (!Array.isArray(value)) return addressesIn(entry, context)
    const spread = isTainted(entry, context) ? value.slice(0, 1) : value
    return spread.flatMap((address) => oneAddress(address ?? ""))
  })
}

/** The addresses in a text of an author, whose own separators count. */
export function addressesIn(text: string, context: BlockContext): string[] {
  if (!text.includes("{{")) return text === "" ? [] : [text]
  return partsOf(text).flatMap((part) => oneAddress(interpolate(part, context)))
}

const token = /\{\{=[\s\S]*?=\}\}|\{\{[\s\S]*?\}\}|"[^"]*"|[,;]/g

/** A text split at the commas and semicolons outside of tokens and quotations. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found !== "," && found !== ";") continue
    parts.push(text.slice(start, index))
    start = index + 1
  }
  return [...parts, text.slice(start)]
}

/** `a@b.c` or `Name <a@b.c>`; empty unless it is exactly one address. */
function oneAddress(text: string): string[] {
  const trimmed = text.trim()
  if (isPlainAddress(trimmed)) return [trimmed]
  const open = trimmed.lastIndexOf("<")
  const address = trimmed.slice(open + 1, -1)
  if (open < 0 || !trimmed.endsWith(">") || !isPlainAddress(address)) return []
  const name = trimmed
    .slice(0, open)
    .trim()
    .replace(/^"(.*)"$/s, "$1")
  if (name === "") return [address]
  if (/[<>]/.test(name)) return []
  const isPlain = /^[\p{L}\p{N}\p{M} .'_-]+$/u.test(name)
  return [`${isPlain ? name : `"${name.replace(/[\p{Cc}"\\]/gu, " ")}"`} <${address}>`]
}

function isPlainAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()\\,;"@\p{Cc}]+$/u.test(text)
}
