/** Plans how secrets in headers and query parameters of HTTP blocks become credentials. */
import type { Block } from "../../engine/blocks/registry.ts"
import type { Flow } from "../../engine/bot.ts"
import { pick, pickList, pickText } from "../../lib/foreignJson.ts"
import { plainHost } from "../../lib/plainHost.ts"
import { type BlockEntry, blocksIn } from "../lint/blockEntries.ts"
import { type Path, placeInFlow, pointerOf } from "../lint/location.ts"
import { findSecrets } from "./findSecrets.ts"

/** The `auth` of a credential. */
export type ExtractedAuth =
  | { type: "bearer"; token: string }
  | { type: "basic"; username: string; password: string }
  | { type: "header" | "query"; name: string; value: string }

/** A secret that stays in the flow, and why. */
export type SkippedSecret = { pointer: string; place: string; reason: string }

/** A credential to create for blocks that hold its secret. */
export type PlannedCredential = {
  name: string
  auth: ExtractedAuth
  allowedHosts: string[]
  secrets: { entry: BlockEntry; list: ListName; index: number; path: Path }[]
}

type ListName = "headers" | "queryParams"

type Bounds = { maxHosts: number; isStorable(auth: ExtractedAuth): boolean }

export type Extraction = { credentials: PlannedCredential[]; skipped: SkippedSecret[] }

/** Equal secrets become one credential, for the hosts of all their blocks. */
export function planExtraction(flow: Flow, { maxHosts, isStorable }: Bounds): Extraction {
  const planned = new Map<string, PlannedCredential>()
  const skipped: SkippedSecret[] = []
  for (const entry of blocksIn(flow)) {
    if (!entry.type.signsRequest) continue
    const host = hostOf(pickText(entry.block, "options", "webhook", "url") ?? "")
    let hasCredential = Boolean(pickText(entry.block, "options", "credentialsId"))
    for (const { list, index, key, value } of secretPairs(entry)) {
      const path = [...entry.path, "options", "webhook", list, index, "value"]
      const auth = authOf(list, key, value)
      const known = planned.get(JSON.stringify(auth))
      const hosts = new Set([...(known?.allowedHosts ?? []), host ?? ""])
      const isInBrowser = pick(entry.block, "options", "isExecutedOnClient") === true
      const obstacles: [applies: boolean, reason: string][] = [
        [hasCredential, "The block has one credential already"],
        [isInBrowser, "The request is made by the browser, which gets no secret"],
        [value.includes("{{"), "A part of the value is a variable"],
        [host === undefined, "The host of the address is a variable, or none"],
        [hosts.size > maxHosts, `A credential names at most ${maxHosts} hosts`],
        [!isStorable(auth), "No credential can hold this name or value"],
      ]
      const reason = obstacles.find(([applies]) => applies)?.[1]
      if (reason !== undefined) {
        skipped.push({ pointer: pointerOf(path), place: placeInFlow(path, flow) ?? "", reason })
        continue
      }
      hasCredential = true
      const credential = known ?? {
        name: `${key} for ${host}`,
        auth,
        allowedHosts: [],
        secrets: [],
      }
      credential.allowedHosts = [...hosts]
      credential.secrets.push({ entry, list, index, path })
      planned.set(JSON.stringify(auth), credential)
    }
  }
  return { credentials: [...planned.values()], skipped }
}

/** A block with a credential in place of the secret at an index of its headers or parameters. */
export function withCredential<B extends Pick<Block, "type">>(
  block: B,
  credentialsId: string,
  { list, index }: { list: ListName; index: number },
): B {
  const options = pick(block, "options") as { webhook: object }
  const pairs = pickList(options, "webhook", list).toSpliced(index, 1)
  const webhook = { ...options.webhook, [list]: pairs }
  return { ...block, options: { ...options, webhook, credentialsId } }
}

function secretPairs({ block }: BlockEntry) {
  return (["headers", "queryParams"] as const).flatMap((list) =>
    pickList(block, "options", "webhook", list).flatMap((pair, index) => {
      const key = pickText(pair, "key")?.trim() ?? ""
      const value = pickText(pair, "value") ?? ""
      return findSecrets(value, key).length > 0 ? [{ list, index, key, value }] : []
    }),
  )
}

/** The host of an address, with a port that is not the default one; undefined: variables decide. */
function hostOf(address: string): string | undefined {
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(address.trim())?.[0] ?? ""
  if (origin.includes("{{") || origin.includes("@") || !URL.canParse(origin)) return undefined
  return plainHost(new URL(origin).host)
}

function authOf(list: ListName, name: string, value: string): ExtractedAuth {
  if (list === "queryParams") return { type: "query", name, value }
  const [, scheme = "", rest = ""] = /^(Bearer|Basic)\s+(\S.*)$/i.exec(value.trim()) ?? []
  if (name.toLowerCase() !== "authorization" || rest === "") return { type: "header", name, value }
  if (scheme.toLowerCase() === "bearer") return { type: "bearer", token: rest }
  const login = rest.includes(":") ? rest : decodeBase64(rest)
  const colon = login.indexOf(":")
  if (colon < 1) return { type: "header", name, value }
  return { type: "basic", username: login.slice(0, colon), password: login.slice(colon + 1) }
}

function decodeBase64(text: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return ""
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
