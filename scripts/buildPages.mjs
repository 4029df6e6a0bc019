/** Bundles what browsers load: the scripts of chats, their texts, and that of the frame in which their code runs. */
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync } from "node:zlib"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "dist/pages")

const entries = {
  "embed.js": "src/pages/chat/embed.ts",
  "preview.js": "src/pages/chat/preview.ts",
  "code.js": "src/pages/chat/code/frame.ts",
}

/** Writes dist/pages; returns the sizes of its files in bytes, by name. */
export async function buildPages() {
  const { build, transform } = await import("esbuild")
  const settings = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    // Browsers of 2023: nesting, containers and sheets made by script are there.
    target: ["chrome112", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  }
  const bundle = async (entry, more) => {
    const plugins = [textsOf({ transform, bundle })]
    const { outputFiles } = await build({ ...settings, ...more, entryPoints: [entry], plugins })
    return outputFiles[0].text
  }
  const onDemand = await bundle("src/pages/chat/onDemand.ts", { format: "esm" })
  const catalogues = await cataloguesOf(bundle)
  const define = {
    ON_DEMAND_VERSION: versionOf(onDemand),
    CATALOGUES_VERSION: versionOf(catalogues),
  }
  const files = { "on-demand.js": onDemand }
  for (const [name, entry] of Object.entries(entries)) files[name] = await bundle(entry, { define })
  await mkdir(folder, { recursive: true })
  await replace("texts.json", catalogues)
  const sizes = {}
  for (const [name, text] of Object.entries(files)) {
    await replace(`${name}.br`, brotliCompressSync(text))
    await replace(name, text)
    sizes[name] = Buffer.byteLength(text)
  }
  return sizes
}

/** The built-in texts in every language but English, as JSON. */
async function cataloguesOf(bundle) {
  const code = await bundle("src/pages/chat/texts/catalogues.ts", { format: "esm" })
  const { catalogues } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return JSON.stringify(catalogues)
}

/** The version of a file, as a literal. */
function versionOf(text) {
  return JSON.stringify(createHash("sha256").update(text).digest("base64url").slice(0, 12))
}

/** Replaces a file in one step, because servers and tests may be reading it. */
async function replace(name, content) {
  const draft = join(folder, `.${name}.${process.pid}`)
  await writeFile(draft, content)
  await rename(draft, join(folder, name))
}

/** Style sheets, and scripts with `?text` after their name, are imported as minified texts. */
function textsOf({ transform, bundle }) {
  return {
    name: "texts",
    setup: (build) => {
      build.onResolve({ filter: /\?text$/ }, ({ path, importer }) => ({
        path: join(dirname(importer), path.replace(/\?text$/, "")),
        namespace: "text",
      }))
      build.onLoad({ filter: /.*/, namespace: "text" }, async ({ path }) => ({
        contents: `export const source = ${JSON.stringify(await bundle(path))}`,
      }))
      build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { code } = await transform(await readFile(path, "utf8"), {
          loader: "css",
          minify: true,
        })
        // Esbuild keeps what custom properties have as it is. No text of ours has a comma.
        return {
          contents: `export const css = ${JSON.stringify(code.trim().replaceAll(", ", ","))}`,
        }
      })
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await buildPages())
