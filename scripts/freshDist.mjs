/** Loads a bundle of dist, after building it when a source is newer. */
import { build, isStale } from "./build.mjs"

/** Runs `dist/<name>.js` in this process. Without build tools the present bundle is used. */
export async function runFresh(name) {
  if (await isStale()) await buildIfPossible()
  await import(new URL(`../dist/${name}.js`, import.meta.url).href)
}

async function buildIfPossible() {
  try {
    await build()
  } catch (error) {
    // An installation without development packages runs what it was shipped with.
    if (error?.code !== "ERR_MODULE_NOT_FOUND" && error?.code !== "MODULE_NOT_FOUND") throw error
  }
}
