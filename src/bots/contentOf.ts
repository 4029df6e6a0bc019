/** Serialises flows for versions. */
import { createHash } from "node:crypto"
import type { VersionContent } from "../db/bots/versions.ts"
import type { Flow } from "../engine/bot.ts"

/** Serialises a flow; equal flows have equal hashes. */
export function contentOf(flow: Flow): VersionContent {
  const { version: schemaVersion, events, groups, edges, variables, theme, settings } = flow
  const payload = JSON.stringify({ events, groups, edges, variables, theme, settings })
  const contentHash = createHash("sha256").update(`${schemaVersion}\n${payload}`).digest()
  return { schemaVersion, payload, contentHash }
}
