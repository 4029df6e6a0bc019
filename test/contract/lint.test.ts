/** Holds the documents to the rules of a public linter: Redocly CLI, its recommended set. */
import { execFile } from "node:child_process"
import { expect, test } from "vitest"

type Verdict = { totals: { errors: number; warnings: number; ignored: number }; problems: object[] }

test.each([
  "operations",
  "webhooks",
])("a public linter finds nothing to say about the %s", async (name) => {
  const { totals, problems } = await lint(name)
  expect(problems).toEqual([])
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
})

/** Runs offline: the linter neither reports its use nor looks for a newer version of itself. */
async function lint(name: string): Promise<Verdict> {
  const cli = "node_modules/@redocly/cli/bin/cli.js"
  const options = ["lint", name, "--config=scripts/redocly.yaml", "--format=json"]
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
  const output = await new Promise<string>((done) => {
    // Problems make it exit with 1, and are on standard output all the same.
    execFile(process.execPath, [cli, ...options], { env }, (_error, text) => done(text))
  })
  return JSON.parse(output) as Verdict
}
