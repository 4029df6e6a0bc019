/** House rules that no compiler knows: who may ask for a block's type, and how long a file may be. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { blockTypes } from "../../src/engine/blocks/registry.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const maxLines = 400

const files = ["src", "scripts", "test"].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tsx?|mjs|js)$/.test(path))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") })),
)

/** `block.type === "x"`, `"x" !== block?.type`, `switch (block.type)`, `["x"].includes(block.type)`. */
const comparisons = [
  /\b[bB]lock\??\.type\s*(?:===|!==|==|!=)/,
  /(?:===|!==|==|!=)\s*[\w.]*\b[bB]lock\??\.type\b/,
  /switch\s*\(\s*[\w.]*\b[bB]lock\??\.type\s*\)/,
  /\.(?:includes|has|startsWith|endsWith)\(\s*[\w.]*\b[bB]lock\??\.type\s*\)/,
  /\b[bB]lock\??\.type\s+(?:in)\s/,
  /(?:===|!==)\s*"(?:[a-z]+ input|Set variable|Condition|Typebot link|Bot link|AB test|Webhook|Jump)"/,
]

it("the code is found", () => {
  expect(files.length).toBeGreaterThan(300)
})

it("only a block's own folder compares the type of a block", () => {
  const found = files
    .filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"))
    .filter(({ path }) => !/^src\/engine\/blocks\/[^/]+\/[^/]+\//.test(path))
    // A client shows inputs by the type that answers give them; it knows no blocks.
    .filter(({ path }) => !path.startsWith("src/cli/"))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(line)
        const isFound = !isComment && comparisons.some((comparison) => comparison.test(line))
        return isFound ? [`${path}:${index + 1}: ${line.trim()}`] : []
      }),
    )
  expect(found).toEqual([])
})

/** Names of types that mean nothing else: `text` and `Email` may be anything. */
const typeNames = new Set(
  Object.entries(blockTypes).flatMap(([name, { kind }]) =>
    kind === "input" || name.includes(" ") ? name : [],
  ),
)

/** The lines of a text where something depends on the name of a block type; `type: "x"` makes a block. */
function tablesIn(text: string): string[] {
  const name = `(["'])(?:${[...typeNames].join("|")})\\1`
  const key = `(?:^|[{,])\\s*(?:${name}\\s*[:(]|cards:\\s*(?:\\(|\\[|[a-z]\\w*(?:,| \\})))`
  const listed = `[[,]\\s*${name.replace("1", "2")}\\s*(?:[,\\]]|$)`
  const table = new RegExp(
    `${key}|${listed}|\\bcase ${name.replace("1", "3")}|[!=]==? ${name.replace("1", "4")}`,
  )
  return text.split("\n").flatMap((line, index) => {
    const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(line)
    return !isComment && table.test(line) ? [`${index + 1}: ${line.trim()}`] : []
  })
}

it("no table outside of a block's own folder has an entry for its type", () => {
  const clients = /^src\/(?:pages\/|cli\/terminal\/show\.ts$)/
  const own = /^src\/engine\/blocks\/(?:registry\.ts$|[^/]+\/[^/]+\/)/
  const found = files
    .filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"))
    // Clients show inputs by the type that answers give them; the registry is the list of types.
    .filter(({ path }) => !clients.test(path) && !own.test(path))
    .flatMap(({ path, text }) => tablesIn(text).map((each) => `${path}:${each}`))
  expect(found).toEqual([])
})

it.each([
  'const replies = { "number input": ["1"] }',
  "const replies = { cards: choose }",
  'switch (input.type) { case "date input": break }',
  'const impersonal = new Set(["rating input"])',
  'if (type !== "Set variable") return',
  'makers["phone number input"](text)',
])("a table is seen: %s", (code) => {
  expect(tablesIn(code)).toHaveLength(1)
})

it("no file is longer than 400 lines", () => {
  const lengths = files.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
  const long = lengths.filter(({ lines }) => lines > maxLines)
  expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
})

it("every file begins by saying what it is for", () => {
  const silent = files.filter(({ text }) => !/^(?:#!.*\n)?\/\*\*? ?\S/.test(text))
  expect(silent.map(({ path }) => path)).toEqual([])
})

it("no schema is patched: custom readers of input are in the meta of their procedure", () => {
  // markdown-it is extended by assignment; lists and maps have constructors of their own.
  const exempt = ["src/engine/richText/parseMarkdown.ts", "src/engine/schema/lists.ts"]
  const name = "(?:_zod|(?:safe)?parse(?:async)?)"
  const assigned = String.raw`(?:\.${name}(?:\.\w+)*|\["${name}"\])\s*=(?![=>])`
  const handed = String.raw`\(\s*\w+(?:\._zod,|,\s*"${name}"|,\s*\{\s*${name}\b)`
  const patch = new RegExp(`${assigned}|${handed}`, "i")
  const found = files
    .filter(({ path }) => /^src\/.*(?<!\.test)\.ts$/.test(path) && !exempt.includes(path))
    .filter(({ text }) => patch.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

it("pages take only types from the rest of the product", () => {
  const outside = /^(?:import|export) (?!type )[^"]*? from "(?:\.\.\/)+client\.ts"/m
  const found = files.filter(({ path, text }) => /^src\/pages\//.test(path) && outside.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

it("signals are combined in one place, which keeps what they are made of", () => {
  // Browsers do not collect a time limit that is still awaited.
  const found = files
    .filter(({ path }) => /^src\/(?!pages\/).*(?<!\.test)\.ts$/.test(path))
    .filter(({ text }) => /\bAbortSignal\.any\(/.test(text))
  expect(found.map(({ path }) => path)).toEqual(["src/lib/anySignal.ts"])
})

it("a condition names each of its columns: of an object it would leave out those that are undefined", () => {
  const found = files
    .filter(({ path }) => /^src\/(?!pages\/).*(?<!\.test)\.ts$/.test(path))
    .filter(({ text }) => /\beb\.(?:and|or)\((?!\[)/.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

it("errors are logged under the one key whose secrets the log leaves out", () => {
  const logged = /\blog(?:\.\w+|\[[^\]]*\])\(\s*\{(?:[^}]*,)?\s*error\s*[,:}]/
  const found = files
    .filter(({ path }) => /^src\/(?!engine\/).*(?<!\.test)\.ts$/.test(path))
    .filter(({ text }) => logged.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

it("the command line writes in one place, where texts of others become visible", () => {
  const writing = /\b(?:stdout|stderr)\b|\bconsole\.|\bwriteSync\b|\/dev\/(?:tty|std)/
  const found = files
    .filter(({ path }) => /^src\/cli\/.*(?<!\.test)\.ts$/.test(path))
    .filter(({ path }) => path !== "src/cli/output.ts")
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        // `writeLine` is told which of the two by its name.
        const code = line
          .replace(/writeLine\("std(?:out|err)"/, "")
          .replace(/^\s*(?:\/\/|\*|\/\*).*/, "")
        return writing.test(code) ? [`${path}:${index + 1}: ${line.trim()}`] : []
      }),
    )
  expect(found).toEqual([])
  const output = files.find(({ path }) => path === "src/cli/output.ts")?.text ?? ""
  const writes = output.split("\n").filter((line) => /\.write\(/.test(line))
  expect(writes.filter((line) => !/rendered\(|visible\(/.test(line))).toEqual([])
})
