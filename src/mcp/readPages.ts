/** Reads the pages that say how bots behave. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** A page: its name in addresses, its heading, and the page in Markdown. */
export type Page = { name: string; title: string; text: string }

/** All pages of the first folder that there is: that of the sources, or that of the built product. */
export async function readPages(folders: readonly string[]): Promise<Page[]> {
  const [folder, ...others] = folders
  if (folder === undefined) throw new Error("The pages about behaviour were not found")
  const names = await readdir(join(folder, "behaviour")).catch(() => undefined)
  if (names === undefined) return await readPages(others)
  const chapters = names.filter((name) => name.endsWith(".md")).sort()
  const paths = ["BEHAVIOUR.md", ...chapters.map((name) => join("behaviour", name))]
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(folder, path), "utf8")
      const name = path.replace(/^.*[/\\]|\.md$/g, "").toLowerCase()
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
    }),
  )
}
