/** Generators of Java clients. */
import { cp, mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Generator } from "./generator.ts"
import { requireCommand, run } from "./machine.ts"
import { openapiGenerator } from "./openapiGenerator.ts"

const walk = join(import.meta.dirname, "walks/Walk.java")

const openapiGeneratorJava: Generator = {
  name: "openapi-generator java",
  bugs: [
    {
      sign: /model\/(?:ArgumentValue|ForwardedEvents|TextOrList)\.java/,
      words: "A list in a oneOf becomes List<String>.class (OpenAPITools/openapi-generator#22249)",
    },
  ],
  version: openapiGenerator.version,
  install: async () => {
    requireCommand("mvn")
    await openapiGenerator.install()
  },
  generate: ({ folder, document }) =>
    openapiGenerator.generate({
      generator: "java",
      document,
      folder,
      properties: ["library=native", "invokerPackage=parley", "apiPackage=parley.api"].concat([
        "modelPackage=parley.model",
        "hideGenerationTimestamp=true",
      ]),
    }),
  compile: async ({ folder }) => {
    const sources = join(folder, "src/main/java")
    await mkdir(sources, { recursive: true })
    await cp(walk, join(sources, "Walk.java"))
    const flags = ["-q", "-B", "-DskipTests", "-Dmaven.javadoc.skip", "-Dmaven.source.skip"]
    await run("mvn", [...flags, "compile"], { cwd: folder, timeoutMs: 600_000 })
    const listing = ["dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"]
    await run("mvn", ["-q", "-B", ...listing], { cwd: folder })
  },
  walk: ({ folder }, words) => {
    const script = 'java -cp "target/classes:$(cat classpath.txt)" Walk "$@"'
    return run("sh", ["-c", script, "walk", ...words], { cwd: folder })
  },
}

/** All of them. */
export const javaGenerators: readonly Generator[] = [openapiGeneratorJava]
