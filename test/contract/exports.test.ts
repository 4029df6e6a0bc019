/** What a file exports, another one imports; everything else is its own affair. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

type File = { path: string; text: string }

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Exports for those who install the package, too. */
const published = [
  "src/client.ts",
  "src/client/draft.ts",
  "src/client/edit.ts",
  "src/client/react.ts",
]

const files = ["src", "scripts", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tsx?|mjs|js)$/.test(path))
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .map((path): File => ({ path, text: readFileSync(join(root, path), "utf8") })),
)

it("every exported value is imported", () => {
  const product = files.filter(({ path }) => path.startsWith("src/") && !published.includes(path))
  expect(unusedExports(product, files)).toEqual([])
})

it("finds exports without an importer, by file and name", () => {
  const a = {
    path: "a.ts",
    text: "export const one = 1\nexport class Two {}\nexport function three() {}",
  }
  const b = {
    path: "b.ts",
    text: 'import { type Two, three as four } from "./a.ts"\nexport class One {}',
  }
  const c = { path: "c.ts", text: 'import { one } from "./b.ts"\nexport { One } from "./b.ts"' }
  expect(unusedExports([a, b], [a, b, c])).toEqual(["a.ts: one"])
  expect(unusedExports([a], [{ path: "d.ts", text: 'import * as a from "./a.ts"' }])).toEqual([])
})

function unusedExports(exporting: readonly File[], importing: readonly File[]): string[] {
  const imported = new Set(importing.flatMap(importsOf))
  return exporting.flatMap(({ path, text }) => {
    const names = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)]
    return names
      .map(([, name]) => `${path}: ${name}`)
      .filter((each) => !imported.has(each) && !imported.has(`${path}: *`))
  })
}

/** Names with the files that they come from; `*` for all of a file. */
function importsOf({ path, text }: File): string[] {
  const from = (target = "") =>
    relative("/", join("/", dirname(path), target)).replaceAll("\\", "/")
  const named = text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)
  const whole = text.matchAll(/(?:\* as \w+ from |import\(\s*)"(\.[^"]+)"/g)
  return [
    ...[...named].flatMap(([, names = "", target]) =>
      [...names.matchAll(/(?:type )?(\w+)(?: as \w+)?\s*(?:,|$)/g)].map(
        ([, name]) => `${from(target)}: ${name}`,
      ),
    ),
    ...[...whole].map(([, target]) => `${from(target)}: *`),
  ]
}
