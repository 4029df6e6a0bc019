/** Generators of Python clients. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Generator } from "./generator.ts"
import { pythonTools, run } from "./machine.ts"
import { openapiGenerator } from "./openapiGenerator.ts"

const walks = join(import.meta.dirname, "walks")

/** What OpenAPI Generator's clients import, and a type checker. */
const runtime = () =>
  pythonTools("openapi-generator", [
    "pydantic>=2",
    "python-dateutil",
    "urllib3",
    "typing-extensions",
  ])

const openapiGeneratorPython: Generator = {
  name: "openapi-generator python",
  version: openapiGenerator.version,
  install: async () => {
    await openapiGenerator.install()
    await runtime()
  },
  generate: ({ folder, document }) =>
    openapiGenerator.generate({
      generator: "python",
      document,
      folder,
      properties: ["packageName=parley"],
    }),
  compile: async ({ folder }) => {
    const python = join(await runtime(), "bin/python")
    await run(python, ["-m", "compileall", "-q", "parley"], { cwd: folder })
    await run(python, ["-W", "error", "-c", "import parley"], { cwd: folder })
  },
  walk: async ({ folder }, words) => {
    const python = join(await runtime(), "bin/python")
    const walk = join(walks, "openapi_generator_python.py")
    return run(python, [walk, ...words], { cwd: folder, env: { PYTHONPATH: folder } })
  },
}

const clientVersion = "0.29.1"

const clientTools = () =>
  pythonTools(`openapi-python-client-${clientVersion}`, [
    `openapi-python-client==${clientVersion}`,
    "mypy",
  ])

const openapiPythonClient: Generator = {
  name: "openapi-python-client",
  version: clientVersion,
  install: clientTools,
  generate: async ({ folder, document }) => {
    const bin = join(await clientTools(), "bin")
    const config = join(folder, "config.yml")
    await writeFile(config, "package_name_override: parley\npost_hooks: []\n")
    const flags = ["--path", document, "--config", config, "--output-path", join(folder, "client")]
    // With warnings as errors: each is an operation or a schema that the client would lack.
    const command = ["generate", ...flags, "--fail-on-warning"]
    await run(join(bin, "openapi-python-client"), command, { cwd: folder })
  },
  compile: async ({ folder }) => {
    const bin = join(await clientTools(), "bin")
    await run(join(bin, "mypy"), ["parley"], { cwd: join(folder, "client") })
  },
  walk: async ({ folder }, words) => {
    const python = join(await clientTools(), "bin/python")
    const walk = join(walks, "openapi_python_client.py")
    return run(python, [walk, ...words], { env: { PYTHONPATH: join(folder, "client") } })
  },
}

/** All of them. */
export const pythonGenerators: readonly Generator[] = [openapiGeneratorPython, openapiPythonClient]
