/** Loads a bundle of dist, after building it when a source is newer. */
import { existsSync } from "node:fs"
import { build, isStale } from "./build.mjs"

const unbuilt =
  "Parley could not start. It was not built, and the packages that build it are not installed:" +
  " run `npm ci`, or bring the folder dist of a copy that was built."

/** Runs `dist/<name>.js` in this process. Without sources or build tools the present bundle is used. */
export async function runFresh(name) {
  const bundle = new URL(`../dist/${name}.js`, import.meta.url)
  const hasSources = existsSync(new URL("../src", import.meta.url))
  const isFresh = hasSources && (!(await isStale()) || (await buildIfPossible()))
  if (isFresh || existsSync(bundle)) return import(bundle.href)
  console.error(unbuilt)
  process.exitCode = 1
}

const building =
  "Parley is built first, because there is no build, or a source is newer. This takes some seconds."

/** Builds; false in an installation without development packages, which runs what it came with. */
async function buildIfPossible() {
  // On standard error, which leaves the results of commands alone.
  const slow = setTimeout(() => console.error(building), 1_000)
  try {
    await build()
    return true
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND" && error?.code !== "MODULE_NOT_FOUND") throw error
    return false
  } finally {
    clearTimeout(slow)
  }
}
