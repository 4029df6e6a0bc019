/** Doc comments of the contracts that newcomers meet first show an example, and the examples compile. */
import { readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { complaintsAboutFiles } from "../support/complaintsAboutFiles.ts"

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

/** What the compiler says about the examples, each in a file beside its own. */
async function complaintsAbout(some: readonly Example[]): Promise<string[]> {
  const texts = some.map(({ path, of, code }, index): [string, string] => [
    join(root, dirname(path), `${of}.example${index}.ts`),
    `${code}\nexport {}\n`,
  ])
  return await complaintsAboutFiles(new Map(texts))
}
