/** Files that authors keep for a bot. */
import type { Flow } from "../../../engine/bot.ts"
import { warning } from "../finding.ts"

export const unusedFile = warning({
  id: "unused-file",
  description: "The flow or the theme uses every file of the bot.",
  remedy: "Delete the file, unless the icon of the bot or a published version needs it.",
  check({ flow, surroundings: { files = [] } }) {
    if (files.length === 0) return []
    const used = keysIn(flow)
    return files
      .filter(({ key }) => !used.has(key))
      .map(({ name }) => ({ path: [], message: `The file "${name}" is not used` }))
  },
})

/** The keys of public files whose addresses occur in a flow. */
function keysIn(flow: Flow): Set<string> {
  // Bounded, so that no text makes it rescan the same part.
  const addresses = /\/files\/(public\/[0-9a-f]{32}\/\w{32}\.\w{1,10})/g
  return new Set(Array.from(JSON.stringify(flow).matchAll(addresses), ([, key = ""]) => key))
}
