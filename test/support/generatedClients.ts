/** What programs do with clients that generators make of the document: they chat, and write a bot back. */
import { readFileSync } from "node:fs"
import { blockTypes, typeOf } from "../../src/engine/blocks/registry.ts"
import { ask, bot, group, say } from "./bots.ts"
import { fullBlocks } from "./fullBlocks.ts"

const guide = readFileSync(
  new URL("../../src/http/guide/chapters/clients.md", import.meta.url),
  "utf8",
)

/** What the guide says to run, by the name of a generator. */
export const commands = new Map(
  [...guide.matchAll(/^### (.+)\n\n```sh\n([^`]+)\n```$/gm)].map(([, name = "", command = ""]) => [
    name,
    command,
  ]),
)

/** What each program of `scripts/drills/clients` prints. */
export const walked = { asked: "email input", saved: "ann@example.com", code: "NOT_FOUND" }

/** A bot that asks for an address and has blocks of every type, and of one that is unknown. */
export function everyBlock(): object {
  const flow = bot(group("Contact", say("Where can we write to you?"), ask.email({ saves: "E" })))
  const names = Object.keys(blockTypes).filter((name) => name !== "start")
  const full = names.map((name) =>
    fullBlocks(name, typeOf({ id: "b", type: name }).schema)
      .slice(0, 3)
      .map(withoutEdges),
  )
  const unknown = [{ type: "hologram", options: { depth: 3 } }]
  const groups = [...full, unknown].map((blocks, index) => ({
    id: `every${index}`,
    title: `Every ${index}`,
    graphCoordinates: { x: index * 300, y: 0.5 },
    blocks: blocks.map((block, at) => ({ ...block, id: `every${index}x${at}` })),
  }))
  return { ...flow, groups: [...flow.groups, ...groups] }
}

/** The edges that blocks name do not exist. */
function withoutEdges(block: object): object {
  return JSON.parse(JSON.stringify(block), (key, value) =>
    /edgeId$/i.test(key) ? undefined : value,
  )
}

/** What an answer with a bot holds of it, without what each change counts. */
export function kept({ bot: { ...members } }: { bot: object }): object {
  return { ...members, updatedAt: undefined, revision: undefined }
}
