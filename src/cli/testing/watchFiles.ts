/** Waits for changes of files, again and again. */
import { existsSync, watch } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"

/** How long to wait for more changes: programs write files in several steps. */
const quietMs = 100

/**
 * Calls `run` with the paths that have changed, one call after the other, until the signal. It returns the
 * files to watch from then on. Folders are watched, because many editors put a new file in the place of an old one.
 */
export async function watchFiles(
  first: readonly string[],
  run: (changed: ReadonlySet<string>) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  const watchers = new Map<string, ReturnType<typeof watch>>()
  let changed = new Set<string>()
  let wake = () => {}
  const follow = (files: readonly string[]) => {
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      // A file may name a bot in a folder that is yet to be made.
      if (watchers.has(folder) || !existsSync(folder)) continue
      const watcher = watch(folder, (_, name) => {
        if (name !== null) changed.add(normalize(join(folder, basename(name))))
        wake()
      })
      watcher.on("error", () => watcher.close())
      watchers.set(folder, watcher)
    }
  }
  signal.addEventListener("abort", () => wake())
  follow(first)
  while (!signal.aborted) {
    if (changed.size === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    await new Promise((resolve) => setTimeout(resolve, quietMs))
    const all = changed
    changed = new Set()
    follow(await run(all))
  }
  for (const watcher of watchers.values()) watcher.close()
}
