/** What assistants can read beside calling tools: bots, the catalogue of blocks, the pages about behaviour. */
import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js"
import { notFound } from "../lib/errors.ts"
import { testFileJsonSchema } from "../workshop/files/jsonSchema.ts"
import type { CallProcedure } from "./callTool.ts"
import { marked } from "./present.ts"
import type { Page } from "./readPages.ts"
import { toolNamed } from "./tools.ts"

/** Where the format of what test_bot takes is described. */
const testFiles = "parley://schemas/test"

/** A list has the bots of so many workspaces, and so many of each. */
const [maxWorkspaces, maxBots] = [5, 100]

export const resourceTemplates: ResourceTemplate[] = [
  {
    name: "bot",
    title: "The draft of a bot",
    uriTemplate: "parley://bots/{botId}",
    mimeType: "application/json",
  },
  {
    name: "block type",
    title: "A type of block or event, with its JSON Schema",
    uriTemplate: "parley://blocks/{type}",
    mimeType: "application/json",
  },
]

/** The resources of a caller; without a `call`, the public ones. */
export async function listResources(
  call: CallProcedure | undefined,
  pages: readonly Page[],
): Promise<Resource[]> {
  const fixed = pages.map(({ name, title }) => {
    return { name, title, uri: `parley://pages/${name}`, mimeType: "text/markdown" }
  })
  const files = { name: "test files", title: "The JSON Schema of test files", uri: testFiles }
  const types = { name: "blocks", title: "The types of blocks and events", uri: "parley://blocks" }
  const described = [types, files].map((each) => ({ ...each, mimeType: "application/json" }))
  return [...fixed, ...described, ...(call ? await listBots(call) : [])]
}

type Listed = { id: string }

async function listBots(call: CallProcedure): Promise<Resource[]> {
  const { workspaces } = (await call("workspace.list", undefined)) as { workspaces: Listed[] }
  const lists = await Promise.all(
    workspaces.slice(0, maxWorkspaces).map(async ({ id: workspaceId }) => {
      const list = await call("bot.list", { workspaceId, limit: maxBots })
      return (list as { bots: Listed[] }).bots
    }),
  )
  // Their own names are words of authors, which nothing marks as such in a list of resources.
  return lists.flat().map(({ id }) => {
    const name = encodeURIComponent(id)
    return { name: `bot ${name}`, uri: `parley://bots/${name}`, mimeType: "application/json" }
  })
}

/** The content of a resource. Throws a 404 for an address that names none. */
export async function readResource(
  uri: string,
  { call, pages }: { call: CallProcedure; pages: readonly Page[] },
): Promise<{ mimeType: string; text: string }> {
  if (uri === testFiles) return asJson(testFileJsonSchema())
  const [, kind, name] = /^parley:\/\/(bots|blocks|pages)(?:\/([^/]+))?$/.exec(uri) ?? []
  const named = name === undefined ? undefined : decoded(name)
  if (kind === "pages") {
    const page = pages.find((each) => each.name === named)
    if (page !== undefined) return { mimeType: "text/markdown", text: page.text }
  }
  const [tool, input] =
    kind === "blocks"
      ? [toolNamed("list_block_types"), { ...(named !== undefined && { type: named }) }]
      : [toolNamed("read_bot"), { botId: named }]
  if (tool === undefined || kind === undefined || kind === "pages") throw notFound("Resource")
  const answer = await call(tool.path, input)
  const shown = tool.shorten?.(answer, input) ?? answer
  return asJson(marked({ answer: shown, words: tool.words }))
}

const asJson = (value: object) => ({ mimeType: "application/json", text: JSON.stringify(value) })

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw notFound("Resource")
  }
}
