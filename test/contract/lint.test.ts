/** Holds the documents to the rules of a public linter: those that Redocly recommends. */
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { getMergedConfig, lint, loadConfig } from "@redocly/openapi-core"
import { expect, test } from "vitest"

const configPath = fileURLToPath(new URL("../../scripts/redocly.yaml", import.meta.url))

test.each([
  "operations",
  "webhooks",
])("a public linter finds nothing to say about the %s", async (name) => {
  const all = await loadConfig({ configPath })
  const ref = resolve(dirname(configPath), all.apis[name]?.root ?? "")
  const problems = await lint({ ref, config: getMergedConfig(all, name) })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})
