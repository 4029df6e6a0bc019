/** The client package as a script of a page, where it is the global `Client`. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** The text of the script. */
export async function clientScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../src/client.ts", import.meta.url))],
    bundle: true,
    format: "iife",
    globalName: "Client",
    write: false,
  })
  return outputFiles[0]?.text ?? ""
}
