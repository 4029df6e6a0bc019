/** Bundles the console, the app for builders: scripts that load each other when they are needed, and their styles. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants } from "node:zlib"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "dist/pages/console")
const entry = "src/pages/console/shell/main.tsx"
const moreStyles = "src/pages/console/shell/more.css"

/** Writes dist/pages/console, whose manifest.json names what the page loads first; returns its manifest. */
export async function buildConsole() {
  const { build } = await import("esbuild")
  const draft = `${folder}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry, moreStyles],
    outdir: draft,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: ["chrome112", "firefox115", "safari16.4"],
    tsconfig: join(root, "src/pages/console/tsconfig.json"),
    define: { "process.env.NODE_ENV": '"production"' },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [icons, components],
  })
  const outputs = Object.entries(metafile.outputs)
  const [script, { imports, cssBundle }] = outputs.find(([, each]) => each.entryPoint === entry)
  const [more] = outputs.find(([, each]) => each.entryPoint === moreStyles)
  const ahead = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
  const manifest = {
    script: basename(script),
    style: basename(cssBundle),
    more: basename(more),
    ahead: ahead.map((path) => basename(path)),
    files: [],
  }
  // The style of the first view has those of all modules: what each view has of them is not asked for.
  const isServed = (name) =>
    !name.endsWith(".css") || [manifest.style, manifest.more].includes(name)
  for (const name of outputs.map(([path]) => basename(path)))
    if (isServed(name)) manifest.files.push(name)
    else await rm(join(draft, name))
  await Promise.all(manifest.files.map((name) => compress(join(draft, name))))
  await writeFile(join(draft, "manifest.json"), JSON.stringify(manifest))
  await replace(draft)
  return manifest
}

/** Writes the compressed file beside it. */
async function compress(path) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }))
}

/** Puts the new folder in place of the former one. */
async function replace(draft) {
  await mkdir(join(folder, ".."), { recursive: true })
  const former = `${draft}.former`
  await rename(folder, former).catch(() => {})
  // Another process may have been faster.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  await rm(former, { recursive: true, force: true })
}

/** `icons:PATH` is the module of the drawings whose names a file of the console lists. */
const icons = {
  name: "icons",
  setup: (build) => {
    build.onResolve({ filter: /^icons:/ }, ({ path }) => ({
      path: join(root, "src/pages/console", path.slice("icons:".length)),
      namespace: "icons",
    }))
    build.onLoad({ filter: /.*/, namespace: "icons" }, async ({ path }) => {
      const names = await readFile(path, "utf8")
      const all = createRequire(import.meta.url)("@iconify-json/lucide/icons.json")
      const drawings = [...names.matchAll(/"([a-z0-9-]+)"/g)].map(([, name]) => {
        const { parent = name } = all.aliases[name] ?? {}
        const drawing = all.icons[parent]
        if (drawing === undefined) throw new Error(`There is no icon ${name}`)
        return [name, drawing.body]
      })
      return { contents: `export const drawings = ${JSON.stringify(Object.fromEntries(drawings))}` }
    })
  },
}

/**
 * Imports each component from its own file: by way of the index of the kit, the first view would load all that any
 * view uses.
 */
const components = {
  name: "components",
  setup: (build) => {
    const index = fileURLToPath(import.meta.resolve("@mantine/core"))
    const places = readFile(index, "utf8").then(placesIn)
    // What is loaded later imports all that is there by then, so that this is one file: else each combination of
    // views that share a module would have a file of its own.
    const later = new Set()
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === "dynamic-import") later.add(join(resolveDir, path))
    })
    build.onLoad({ filter: /src[/\\]pages[/\\]console[/\\].*\.tsx?$/ }, async ({ path }) => {
      const placeOf = await places
      const text = (await readFile(path, "utf8")).replace(
        /import \{([^}]*)\} from "@mantine\/core"/g,
        (_, names) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "" && !name.startsWith("type "))
            .map((name) => `import { ${name} } from ${JSON.stringify(placeOf.get(name))}`)
            .join("; "),
      )
      const first = later.has(path) ? `import ${JSON.stringify(join(root, entry))};` : ""
      return { contents: first + text, loader: path.endsWith("x") ? "tsx" : "ts" }
    })
    /** The files of the names that an index imports to export them. */
    function placesIn(text) {
      const imports = text.matchAll(/import \{ ([^}]*) \} from "([^"]+)"/g)
      const pairs = [...imports].flatMap(([, names, file]) =>
        names.split(", ").map((name) => [name, join(dirname(index), file)]),
      )
      return new Map(pairs)
    }
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildConsole())
