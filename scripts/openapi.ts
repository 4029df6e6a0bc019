/** Writes openapi.json and the document of the webhooks; with `--check` it compares them, and exits with 1 if one is stale. */
import { readFile, writeFile } from "node:fs/promises"
import type { z } from "zod"
import { blockSchemas } from "../src/engine/blocks/registry.ts"
import { splitWebhooks } from "../src/http/openapi/documentParts.ts"
import { generateOpenApi } from "../src/http/openapi/openapi.ts"
import { endpointPaths } from "../src/http/openapi/openapiEndpoints.ts"
import { eventWebhooks, webhookParameters } from "../src/http/openapi/openapiWebhooks.ts"
import { appRouter } from "../src/routers/app.ts"

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
