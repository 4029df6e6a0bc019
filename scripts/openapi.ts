/** Writes openapi.json; `--check` only tells whether it is fresh, and exits with 1 when it is not. */
import { readFile, writeFile } from "node:fs/promises"
import { generateOpenApi } from "../src/http/openapi.ts"
import { appRouter } from "../src/routers/app.ts"

const target = new URL("../openapi.json", import.meta.url)
const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
const text = `${JSON.stringify(generateOpenApi({ router: appRouter, version }), null, 2)}\n`

if (!process.argv.includes("--check")) {
  await writeFile(target, text)
} else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
  process.stderr.write("openapi.json is stale: run npm run openapi\n")
  process.exitCode = 1
}
