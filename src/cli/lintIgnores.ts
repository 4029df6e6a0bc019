/** What authors have the linter leave alone: entries of `parley.json` beside a bot, or in a folder above. */
import { readFile } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import { z } from "zod"
import type { Finding } from "../authoring/lint/finding.ts"
import { flattenIssues } from "../authoring/lint/issues.ts"
import { parseJson } from "./parseJson.ts"
import { positionIn } from "./position.ts"

export const settingsName = "parley.json"

const text = z.string().min(1).max(1_000)

const entrySchema = z.union([
  text,
  z.strictObject({
    rule: text,
    /** The beginning of a place, as reports write it, or a JSON Pointer. Absent: anywhere. */
    place: text.optional(),
    /** A file, or a folder with files, relative to this one. Absent: all. */
    file: text.optional(),
  }),
])

const settingsSchema = z.object({
  lint: z.strictObject({ ignore: z.array(entrySchema).max(1_000).optional() }).optional(),
})

type Entry = { rule: string; place?: string | undefined; file?: string | undefined }

/** The entries of one file, and how often each has been used. */
export type Ignores = { path: string; entries: Entry[]; used: Map<Entry, number> }

/** Reads the nearest file of settings of a bot; each is read once. */
export function createIgnores(ruleIds: readonly string[]) {
  const known = new Map<string, Promise<Ignores | undefined>>()
  const nearest = async (folder: string): Promise<Ignores | undefined> => {
    const here = known.get(folder) ?? readIgnores(join(folder, settingsName), ruleIds)
    known.set(folder, here)
    const above = dirname(folder)
    return (await here) ?? (above === folder ? undefined : await nearest(above))
  }
  return {
    async apply<F extends Finding>(file: string, findings: readonly F[]): Promise<F[]> {
      const ignores = await nearest(file === "-" ? process.cwd() : dirname(resolve(file)))
      if (!ignores) return [...findings]
      return findings.filter((finding) => !isIgnored(ignores, file, finding))
    },
    /** Entries that have ignored nothing, as sentences. */
    async unused(): Promise<string[]> {
      const all = await Promise.all(known.values())
      return all.flatMap((ignores) =>
        (ignores?.entries ?? []).flatMap((entry) =>
          ignores?.used.has(entry)
            ? []
            : `An entry of ${ignores?.path} ignores nothing: ${JSON.stringify(entry)}.`,
        ),
      )
    },
  }
}

function isIgnored({ path, entries, used }: Ignores, file: string, finding: Finding): boolean {
  const own = relative(dirname(path), resolve(file)).split(sep).join("/")
  const entry = entries.find(
    (each) =>
      each.rule === finding.rule &&
      (each.file === undefined || isWithin(own, each.file.replace(/\/$/, ""), "/")) &&
      (each.place === undefined || isAt(finding, each.place)),
  )
  if (entry) used.set(entry, (used.get(entry) ?? 0) + 1)
  return entry !== undefined
}

function isAt({ place, pointer }: Finding, wanted: string): boolean {
  return wanted.startsWith("/") ? isWithin(pointer, wanted, "/") : isWithin(place, wanted, " ›")
}

function isWithin(whole: string, part: string, sign: string): boolean {
  return whole === part || whole.startsWith(part + sign)
}

async function readIgnores(path: string, ruleIds: readonly string[]): Promise<Ignores | undefined> {
  const written = await readFile(path, "utf8").catch(() => undefined)
  if (written === undefined) return undefined
  const json = parsed(written, path)
  const read = settingsSchema.safeParse(json)
  if (!read.success) {
    const [{ message = "", pointer = "" } = {}] = flattenIssues(read.error.issues, json)
    throw new Error(`${path}${placeOf(written, pointer)}: ${pointer} ${message}.`)
  }
  const entries = (read.data.lint?.ignore ?? []).map(
    (each): Entry => (typeof each === "string" ? { rule: each } : each),
  )
  for (const [index, { rule }] of entries.entries()) {
    if (ruleIds.includes(rule)) continue
    const place = placeOf(written, `/lint/ignore/${index}`)
    throw new Error(`${path}${place}: there is no rule "${rule}": see \`parley lint --rules\`.`)
  }
  return { path, entries, used: new Map() }
}

function placeOf(written: string, pointer: string): string {
  const { line, column } = positionIn(written, pointer)
  return `:${line}:${column}`
}

function parsed(written: string, path: string): unknown {
  try {
    return parseJson(written)
  } catch (error) {
    const reason = (error as Error).message.replace("The file is", `${path} is`)
    throw new Error(`${reason}.`, { cause: error })
  }
}
