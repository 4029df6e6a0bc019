/** Code samples of all operations, and the code of the guide, are sound in each of their languages. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { routerTypes } from "../../scripts/clientPackage/routerTypes.ts"
import { addCodeSamples } from "../../src/http/openapi/codeSamples.ts"
import { type Json, operationsOf } from "../../src/http/openapi/openapiSchemas.ts"
import { appRouter } from "../../src/routers/app.ts"
import { complaintsAboutFiles } from "../support/complaintsAboutFiles.ts"
import { blocks } from "../support/guideSteps.ts"

type Sample = { lang: string; label: string; source: string }

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const sampled = operationsOf(addCodeSamples(document, appRouter))
const samplesIn = (lang: string) =>
  sampled.map((operation): [string, string] => {
    const samples = operation["x-codeSamples"] as Sample[]
    return [String(operation.operationId), samples.find((each) => each.lang === lang)?.source ?? ""]
  })
const guideIn = (language: string) => blocks.filter((each) => each.language === language)

test("every operation has a sample for curl, the client and Python, and the document has none", () => {
  for (const operation of sampled) {
    const samples = operation["x-codeSamples"] as Sample[]
    const labels = samples.map(({ label }) => label)
    expect(labels, `${operation.operationId}`).toEqual(["curl", "@parley/client", "Python"])
  }
  expect(JSON.stringify(document)).not.toContain("x-codeSamples")
})

test("bash reads those of the shell", () => {
  const script = [...samplesIn("Shell").map(([, source]) => source), ...codeOf("sh")].join("\n")
  expect(() => execFileSync("bash", ["-n"], { input: script })).not.toThrow()
  expect(() => execFileSync("bash", ["-n"], { input: `${script}\n'`, stdio: "pipe" })).toThrow()
})

test("the bodies that they send are those of the examples", () => {
  const bodies = sampled.flatMap((operation) => {
    const { requestBody } = operation as { requestBody?: { content: Record<string, Json> } }
    const example = requestBody?.content["application/json"]?.example
    return requestBody ? [[String(operation.operationId), example ?? {}] as const] : []
  })
  const sources = new Map(samplesIn("Shell"))
  for (const [id, body] of bodies) {
    const [, sent = ""] = /-d '(.*)'$/s.exec(sources.get(id) ?? "") ?? []
    expect(JSON.parse(sent.replaceAll("'\\''", "'")), id).toEqual(body)
  }
})

test("the compiler accepts those of the client, with the types of the service", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url))
  const texts = samplesIn("TypeScript").map(([id, source]): [string, string] => [
    join(root, `test/client/${id}.sample.ts`),
    `${source}\nexport {}\n`,
  ])
  const guide = `${codeOf("ts").join("\n")}\nexport { streamAnswer }\n`
  const wrong = `${texts[0]?.[1]}\nconst wrong: number = "text"\n`
  const complaints = await complaintsAboutFiles(
    new Map([
      ...texts,
      // As apps have them: those of the sources are made of schemas, and take the compiler long.
      [join(root, "src/routers/app.ts"), routerTypes(appRouter)],
      [join(root, "test/client/guide.sample.ts"), guide],
      [join(root, "test/client/wrong.sample.ts"), wrong],
    ]),
  )
  expect(complaints).toEqual(["Type 'string' is not assignable to type 'number'."])
})

test("Python reads its own", () => {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" })
  } catch {
    return console.log("Skipped: python3 is not installed")
  }
  const program = "import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)"
  const read = (texts: string[]) =>
    execFileSync("python3", ["-c", program], { input: JSON.stringify(texts), stdio: "pipe" })
  const texts = [...samplesIn("Python").map(([, source]) => source), ...codeOf("python")]
  expect(() => read(texts)).not.toThrow()
  expect(() => read([...texts, "with:"])).toThrow()
})

function codeOf(language: string): string[] {
  return guideIn(language).map(({ code }) => code)
}
