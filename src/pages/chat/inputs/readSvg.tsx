/** Draws an author's icon: only the shapes in its SVG. */
import { type ComponentChildren, h, type VNode } from "preact"

const shapes = new Set(["g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"])

const attributes = new Set(
  `d points x y x1 y1 x2 y2 cx cy r rx ry width height transform
  fill fill-rule fill-opacity clip-rule opacity
  stroke stroke-width stroke-linecap stroke-linejoin stroke-opacity stroke-miterlimit`.split(/\s+/),
)

const tag = /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*(\/?)>/g
const attribute = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

type Open = { name: string; given: Record<string, string>; children: ComponentChildren[] }

/** The icon. Returns undefined when the text contains no shapes. */
export function readSvg(text: string): VNode | undefined {
  let viewBox = "0 0 24 24"
  const root: Open = { name: "svg", given: {}, children: [] }
  const open: Open[] = [root]
  const close = () => {
    const done = open.pop()
    if (done) open.at(-1)?.children.push(h(done.name, done.given, ...done.children))
  }
  for (const [, slash, name = "", rest = "", isSelfClosed] of text.matchAll(tag)) {
    if (name === "svg" && !slash) viewBox = viewBoxOf(rest) ?? viewBox
    if (!shapes.has(name)) continue
    if (slash) {
      if (open.length > 1 && open.at(-1)?.name === name) close()
      continue
    }
    open.push({ name, given: allowed(rest), children: [] })
    if (isSelfClosed) close()
  }
  while (open.length > 1) close()
  if (root.children.length === 0) return undefined
  return (
    <svg viewBox={viewBox} aria-hidden="true" class="icon">
      {root.children}
    </svg>
  )
}

function viewBoxOf(text: string): string | undefined {
  return /viewBox\s*=\s*["']([\d.\s,-]+)["']/.exec(text)?.[1]
}

/** The attributes that may be kept: numbers, colours and paths, never anything with an address. */
function allowed(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(attribute)]
      .map(([, name = "", one, two]): [string, string] => [name, one ?? two ?? ""])
      .filter(([name, value]) => attributes.has(name) && !/url|[;:{}\\]/i.test(value)),
  )
}
