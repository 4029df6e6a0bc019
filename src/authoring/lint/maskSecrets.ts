/** Masks what looks like a secret in a flow, wherever the rule `secret-in-clear` finds one. */
import type { Flow } from "../../engine/bot.ts"
import { type FoundSecret, findSecrets, maskText } from "../secrets/findSecrets.ts"
import { isSecretName } from "../secrets/secretNames.ts"
import { blocksIn } from "./blockEntries.ts"
import { type FlowText, textsOf } from "./flowTexts.ts"
import type { Key, Path } from "./location.ts"

/** The flow with `•••` for each secret; parts without any are those of the original. */
export function maskSecrets<T extends Flow>(flow: T): T {
  const copies = new WeakSet<object>()
  const copyOf = <V extends object>(value: V): V => {
    if (copies.has(value)) return value
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as V
    copies.add(copy)
    return copy
  }
  let masked = flow
  for (const text of textsOf(flow, blocksIn(flow)).texts) {
    const secrets = secretsIn(text)
    if (secrets.length === 0) continue
    masked = copyOf(masked)
    setAt(masked, text.path, maskText(text.text, secrets), copyOf)
  }
  return masked
}

/** The secrets in a text of a flow. */
export function secretsIn({ text, path, owner }: FlowText): FoundSecret[] {
  return findSecrets(text, nameOf(path.at(-1), owner))
}

/** The name of the header, parameter or variable with a text as its value, or of a member that is a secret. */
function nameOf(member: Key | undefined, owner: object | undefined): string | undefined {
  if (typeof member !== "string") return undefined
  if (member !== "value") return isSecretName(member) ? member : undefined
  const { key, name } = (owner ?? {}) as { key?: unknown; name?: unknown }
  const named = key ?? name
  return typeof named === "string" ? named : undefined
}

function setAt(
  root: object,
  path: Path,
  text: string,
  copyOf: <V extends object>(value: V) => V,
): void {
  let parent = root as Record<Key, unknown>
  for (const key of path.slice(0, -1)) {
    const child = copyOf(parent[key] as Record<Key, unknown>)
    define(parent, key, child)
    parent = child
  }
  define(parent, path.at(-1) ?? "", text)
}

/** Sets a member of any name: assigning `__proto__` would set none. */
function define(parent: object, key: Key, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}
