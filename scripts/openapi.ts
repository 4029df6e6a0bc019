/**
 * Writes openapi.json and the document of the webhooks; with `--check` it compares them, and exits with 1 if
 * one is stale. With `--release` it also keeps them, and the types of the client, as those of this version.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import type { z } from "zod"
import { blockSchemas } from "../src/engine/blocks/registry.ts"
import { joinWebhooks, splitWebhooks } from "../src/http/openapi/documentParts.ts"
import { generateOpenApi } from "../src/http/openapi/openapi.ts"
import { endpointPaths } from "../src/http/openapi/openapiEndpoints.ts"
import { eventWebhooks, webhookParameters } from "../src/http/openapi/openapiWebhooks.ts"
import { appRouter } from "../src/routers/app.ts"
import { routerTypes } from "./clientPackage/routerTypes.ts"

/** Longest line of the document, unless a single value is longer. */
const columns = 200

const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
const components = Object.fromEntries(blockSchemas.map((schema) => [nameOf(schema), schema]))
const webhooks = { events: eventWebhooks, parameters: webhookParameters }
const described = { router: appRouter, version, components, paths: endpointPaths, webhooks }
const { document, webhooks: ofEvents } = splitWebhooks(generateOpenApi(described))
const files = { "openapi.json": document, "src/http/openapi/openapi.webhooks.json": ofEvents }

for (const [path, content] of Object.entries(files)) {
  const target = new URL(`../${path}`, import.meta.url)
  const text = `${print(content, "")}\n`
  if (!process.argv.includes("--check")) {
    await writeFile(target, text)
  } else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    process.stderr.write(`${path} is stale: run npm run openapi\n`)
    process.exitCode = 1
  }
}

if (process.argv.includes("--release")) {
  const folder = new URL("../test/fixtures/contract/", import.meta.url)
  await mkdir(folder, { recursive: true })
  const whole = joinWebhooks({ document, webhooks: ofEvents })
  await writeFile(new URL(`${version}.json`, folder), `${print(whole, "")}\n`)
  const types = routerTypes(appRouter).replaceAll(/^ *\/\*\*.*?\*\/\n/gm, "")
  await writeFile(new URL(`${version}.types.txt`, folder), types)
}

function nameOf(schema: z.ZodType): string {
  const name = schema.meta()?.id
  if (name === undefined) throw new Error("Every block schema needs a meta with an id")
  return name
}

/**
 * Prints JSON with a line for each value that fits on one, and no extra line for an object around a single
 * member: half the usual size, and diffs stay readable.
 */
function print(value: unknown, indent: string): string {
  const line = JSON.stringify(value)
  const isFlat = typeof value !== "object" || value === null
  if (isFlat || indent.length + line.length <= columns) return line
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  const entries = Object.entries(value)
  const isWrapper = entries.length === 1
  const deeper = isWrapper ? indent : `${indent} `
  const members = entries.map(([key, member]) => {
    const text = print(member, deeper)
    return Array.isArray(value) ? text : `${JSON.stringify(key)}: ${text}`
  })
  if (isWrapper) return `${open}${members.join("")}${close}`
  return `${open}\n${members.map((member) => deeper + member).join(",\n")}\n${indent}${close}`
}
