/** Writes openapi.json; `--check` only tells whether it is fresh, and exits with 1 when it is not. */
import { readFile, writeFile } from "node:fs/promises"
import type { z } from "zod"
import { blockSchemas } from "../src/engine/blocks/registry.ts"
import { generateOpenApi } from "../src/http/openapi/openapi.ts"
import { appRouter } from "../src/routers/app.ts"

const target = new URL("../openapi.json", import.meta.url)
const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
const components = Object.fromEntries(blockSchemas.map((schema) => [nameOf(schema), schema]))
const document = generateOpenApi({ router: appRouter, version, components })
const text = `${JSON.stringify(document, null, 2)}\n`

if (!process.argv.includes("--check")) {
  await writeFile(target, text)
} else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
  process.stderr.write("openapi.json is stale: run npm run openapi\n")
  process.exitCode = 1
}

function nameOf(schema: z.ZodType): string {
  const name = schema.meta()?.id
  if (name === undefined) throw new Error("Every block schema needs a meta with an id")
  return name
}
