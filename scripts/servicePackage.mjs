/** Writes dist/service-package: what runs, and a package.json that names only what the bundles load. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

const copied = ["openapi.json", "schema", "scripts/deploy"]

/** Writes it from the files at `root`; `packages` are the names of those that the bundles load. */
export async function writeServicePackage(
  root,
  packages,
  folder = join(root, "dist/service-package"),
) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, "dist"), { recursive: true })
  const bundles = (await readdir(join(root, "dist"))).filter((name) => !/-package$/.test(name))
  const scripts = (await readdir(join(root, "scripts"))).filter((name) => name.endsWith(".mjs"))
  const paths = [
    ...copied,
    ...bundles.map((name) => `dist/${name}`),
    ...scripts.map((name) => `scripts/${name}`),
  ]
  for (const path of paths) await cp(join(root, path), join(folder, path), { recursive: true })
  // That of the repository is for those who have the sources.
  await cp(join(root, "scripts/servicePackage/README.md"), join(folder, "README.md"))
  const manifest = await manifestOf(root, packages)
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Versions are exact: there is no lock file where the package is installed. */
async function manifestOf(root, packages) {
  const { name, version, description, license, type, engines, bin, scripts, ...all } =
    await readJson(join(root, "package.json"))
  const loaded = packages.filter((each) => each in all.dependencies)
  const dependencies = await Promise.all(
    loaded.sort().map(async (each) => {
      const installed = await readJson(join(root, "node_modules", each, "package.json"))
      return [each, installed.version]
    }),
  )
  return {
    ...{ name, version, description, license, type, engines, bin },
    scripts: { start: scripts.start },
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: all.optionalDependencies,
  }
}

async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"))
}
