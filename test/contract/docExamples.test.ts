/** Doc comments of the contracts that newcomers meet first show an example, and the examples compile. */
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { compilers } from "../support/compilers.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** An example, and the declaration that it explains. */
type Example = { path: string; of: string; code: string }

const examples = await examplesIn("src")

const explained = ["Step", "Input", "serviceBlock", "operationsOf", "Performer", "Job"]

test.each(explained)("%s is explained by an example", (name) => {
  expect(examples.map(({ of }) => of)).toContain(name)
})

test("the examples compile, and one that does not is found", async () => {
  const path = "src/engine/blocks/block.ts"
  const code =
    'import type { Step } from "./block.ts"\nexport const step: Step = { next: "nowhere" }'
  const complaints = await complaintsAbout([...examples, { path, of: "Step", code }])
  expect(complaints).toEqual([expect.stringContaining('"nowhere"\' is not assignable')])
})

/** Examples between fences in doc comments, with their imports written as from the file that they stand in. */
async function examplesIn(sources: string): Promise<Example[]> {
  const names = await readdir(join(root, sources), { recursive: true })
  const paths = names.filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const found = await Promise.all(
    paths.map(async (name) => {
      const path = join(sources, name)
      const text = await readFile(join(root, path), "utf8")
      const comments = text.matchAll(
        /^\/\*\*\n((?: \*.*\n)+?) \*\/\nexport (?:async )?(?:type|function|const) (\w+)/gm,
      )
      return [...comments].flatMap(([, comment = "", of = ""]) =>
        fencesIn(comment.replaceAll(/^ \* ?/gm, "")).map((code) => ({ path, of, code })),
      )
    }),
  )
  return found.flat()
}

function fencesIn(comment: string): string[] {
  return [...comment.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code)
}

/** The parts of the compiler that are used; of TypeScript 7 there is only the command. */
type Compiler = {
  sys: { readFile(path: string): string | undefined; fileExists(path: string): boolean }
  parseJsonConfigFileContent(config: unknown, sys: object, folder: string): { options: object }
  createCompilerHost(options: object): Compiler["sys"]
  createProgram(names: string[], options: object, host: object): Program
  flattenDiagnosticMessageText(text: unknown, line: string): string
}
type Program = {
  getSourceFile(name: string): object
  getSyntacticDiagnostics(file: object): { messageText: unknown }[]
  getSemanticDiagnostics(file: object): { messageText: unknown }[]
}

/** What the compiler says about the examples alone: the rest of the product is checked elsewhere. */
async function complaintsAbout(some: readonly Example[]): Promise<string[]> {
  const [, former = ""] = await compilers()
  const ts: Compiler = createRequire(former)("typescript")
  const texts = new Map(
    some.map(({ path, of, code }, index) => [
      join(root, dirname(path), `${of}.example${index}.ts`),
      `${code}\nexport {}\n`,
    ]),
  )
  const config = JSON.parse(await readFile(join(root, "tsconfig.json"), "utf8"))
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
  const used = { ...options, noUnusedLocals: false }
  const host = ts.createCompilerHost(used)
  const { readFile: read, fileExists } = host
  host.readFile = (name) => texts.get(name) ?? read(name)
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  const program = ts.createProgram([...texts.keys()], used, host)
  return [...texts.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, " "))
  })
}
