/** Generators of TypeScript clients. */
import { cp, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Generator, Place } from "./generator.ts"
import { npmTools, run } from "./machine.ts"
import { openapiGenerator } from "./openapiGenerator.ts"

const typescript = "typescript@5.9.3"
const walks = join(import.meta.dirname, "walks")

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  outDir: "out",
}

/** What generators of TypeScript clients have in common. */
type TypeScriptGenerator = {
  name: string
  version: string
  /** Packages besides the compiler. */
  packages: readonly string[]
  generate(place: Place, tools: string): Promise<unknown>
}

function typeScript({ name, version, packages, generate }: TypeScriptGenerator): Generator {
  const install = () =>
    npmTools(`${name}-${version}`, [...packages, typescript, "tsx@4", "@types/node@20"])
  return {
    name,
    version,
    install,
    generate: async (place) => {
      const tools = await install()
      await symlink(join(tools, "node_modules"), join(place.folder, "node_modules"))
      await generate(place, join(tools, "node_modules/.bin"))
    },
    compile: async ({ folder }) => {
      await cp(join(walks, `${name}.ts`), join(folder, "walk.ts"))
      await writeFile(join(folder, "package.json"), '{"type":"module"}')
      const config = { compilerOptions, include: ["walk.ts"] }
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
      await run(join(folder, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder })
    },
    // With tsx, because generators leave out the endings of files.
    walk: ({ folder }, words) =>
      run(join(folder, "node_modules/.bin/tsx"), ["walk.ts", ...words], { cwd: folder }),
  }
}

const openapiTypescript = typeScript({
  name: "openapi-typescript",
  version: "7.13.0",
  packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
  generate: ({ folder, document }, bin) =>
    run(join(bin, "openapi-typescript"), [document, "-o", "schema.d.ts"], { cwd: folder }),
})

const heyApi = typeScript({
  name: "hey-api",
  version: "0.99.0",
  packages: ["@hey-api/openapi-ts@0.99.0"],
  generate: ({ folder, document }, bin) =>
    run(join(bin, "openapi-ts"), ["-i", document, "-o", "client", "-c", "@hey-api/client-fetch"], {
      cwd: folder,
    }),
})

const orval = typeScript({
  name: "orval",
  version: "8.38.0",
  packages: ["orval@8.38.0"],
  generate: async ({ folder, document, address }, bin) => {
    const output = { target: "client.ts", client: "fetch", baseUrl: address }
    const config = { parley: { input: document, output } }
    const path = join(folder, "orval.config.mjs")
    await writeFile(path, `export default ${JSON.stringify(config)}`)
    await run(join(bin, "orval"), ["--config", path], { cwd: folder })
  },
})

const typescriptFetch = typeScript({
  name: "typescript-fetch",
  version: openapiGenerator.version,
  packages: [],
  generate: ({ folder, document }) =>
    openapiGenerator.generate({
      generator: "typescript-fetch",
      document,
      folder: `${folder}/client`,
    }),
})

/** All of them. */
export const typeScriptGenerators: readonly Generator[] = [
  openapiTypescript,
  heyApi,
  orval,
  typescriptFetch,
]
