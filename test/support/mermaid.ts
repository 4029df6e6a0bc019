/** Reads drawings with the parser of Mermaid itself, in its build for browsers, without a browser. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"

/** What Mermaid makes of a flowchart; labels as people see them, their lines apart. */
export type Drawing = {
  nodes: Record<string, { shape: string; lines: string[]; classes: string[] }>
  edges: { from: string; to: string; lines: string[]; isDotted: boolean }[]
}

type Vertex = { id: string; text: string; type: string; classes: string[] }
type Link = { start: string; end: string; text: string; stroke: string }
type Diagram = { type: string; db: { getVertices(): Map<string, Vertex>; getEdges(): Link[] } }
type Mermaid = {
  initialize(config: object): void
  mermaidAPI: { getDiagramFromText(text: string): Promise<Diagram> }
}

// The least that makes its sanitizer believe in a browser; it then passes on texts as they are.
const document = { nodeType: 9, createElement: () => ({}) }
const window = { document, Element: class {}, addEventListener() {} }

let loaded: Mermaid | undefined

function mermaid(): Mermaid {
  if (!loaded) {
    const file = fileURLToPath(import.meta.resolve("@mermaid-js/tiny"))
    const context = createContext({ window, structuredClone, setTimeout, URL, console })
    runInContext(readFileSync(file, "utf8"), context, { filename: file })
    loaded = (context as { mermaid: Mermaid }).mermaid
    loaded.initialize({ maxEdges: 20_000 })
  }
  return loaded
}

/** Throws what Mermaid says of a text that it cannot read as a flowchart. */
export async function readDrawing(text: string): Promise<Drawing> {
  const { type, db } = await mermaid().mermaidAPI.getDiagramFromText(text)
  if (type !== "flowchart-v2") throw new Error(`A ${type} is no flowchart`)
  const nodes: Drawing["nodes"] = {}
  for (const { id, text, type, classes } of db.getVertices().values()) {
    nodes[id] = { shape: type, lines: linesOf(text), classes: [...classes] }
  }
  const edges = db.getEdges().map(({ start, end, text, stroke }) => {
    return { from: start, to: end, lines: linesOf(text), isDotted: stroke === "dotted" }
  })
  return { nodes, edges }
}

/** Its parser keeps entity codes as these signs until they are drawn. */
function linesOf(text: string): string[] {
  const lines = text
    .split("<br/>")
    .map((line) => line.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code))))
  return lines.filter((line) => line !== "")
}
