/** Generators of Go clients. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Generator, Place } from "./generator.ts"
import { goTool, requireCommand, run } from "./machine.ts"
import { openapiGenerator } from "./openapiGenerator.ts"

const walks = join(import.meta.dirname, "walks")

/** Compiles a walk with the package `parley` beside it. */
async function compile({ folder }: Place, walk: string): Promise<void> {
  await mkdir(join(folder, "walk"))
  await cp(join(walks, walk), join(folder, "walk/main.go"))
  await run("go", ["mod", "tidy"], { cwd: folder })
  await run("go", ["vet", "."], { cwd: folder })
  await run("go", ["build", "-o", "walk/walk", "./walk"], { cwd: folder })
}

const walkWith: Generator["walk"] = ({ folder }, words) => run(join(folder, "walk/walk"), words)

const openapiGeneratorGo: Generator = {
  name: "openapi-generator go",
  bugs: [
    {
      sign: /model_argument_value\.go/,
      words:
        "A list in a oneOf becomes a member that is no name, here ArrayOf*string " +
        "(OpenAPITools/openapi-generator#8765)",
    },
  ],
  version: openapiGenerator.version,
  install: async () => {
    requireCommand("go")
    await openapiGenerator.install()
  },
  generate: async ({ folder, document }) => {
    await openapiGenerator.generate({
      generator: "go",
      document,
      folder,
      properties: ["packageName=parley", "withGoMod=false", "enumClassPrefix=true"].concat([
        "useOneOfDiscriminatorLookup=true",
      ]),
    })
    // Its tests import a repository that does not exist.
    await rm(join(folder, "test"), { recursive: true, force: true })
    await run("go", ["mod", "init", "example.com/parley"], { cwd: folder })
  },
  compile: (place) => compile(place, "openapi_generator.go"),
  walk: walkWith,
}

const codegenVersion = "v2.8.2"

const codegen = () =>
  goTool(
    `oapi-codegen-${codegenVersion}`,
    `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${codegenVersion}`,
  )

const oapiCodegen: Generator = {
  name: "oapi-codegen",
  version: codegenVersion,
  install: codegen,
  generate: async ({ folder, document }) => {
    const command = join(await codegen(), "oapi-codegen")
    const flags = ["-generate", "types,client", "-package", "parley", "-o", "parley.go"]
    await run(command, [...flags, document], { cwd: folder })
    await writeFile(join(folder, "go.mod"), "module example.com/parley\n\ngo 1.24\n")
  },
  compile: (place) => compile(place, "oapi_codegen.go"),
  walk: walkWith,
}

/** All of them. */
export const goGenerators: readonly Generator[] = [openapiGeneratorGo, oapiCodegen]
