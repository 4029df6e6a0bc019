/**
 * Says in a sentence that Node is too old. This file, and those that import it directly, are read by the old
 * releases themselves: no `node:` names, no await at the top, nothing newer than ES2018.
 */
// biome-ignore lint/style/useNodejsImportProtocol: old releases do not know it
import { readFileSync } from "fs"

/** Whether this Node is new enough; otherwise says so, and ends with code 1. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const wanted = engines.node.replace(">=", "")
  if (isAtLeast(process.versions.node, wanted)) return true
  console.error(
    `Parley needs Node ${wanted} or newer, and this is Node ${process.versions.node}: install a newer one from ` +
      "https://nodejs.org, or by your version manager.",
  )
  process.exitCode = 1
  return false
}

function isAtLeast(version, wanted) {
  const [major, minor] = version.split(".").map(Number)
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
