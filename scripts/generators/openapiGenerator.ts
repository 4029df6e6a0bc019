/** OpenAPI Generator, a program in a jar that generates clients of many languages. */
import { mavenJar, run } from "./machine.ts"

const version = "7.25.0"

const install = () => mavenJar("org.openapitools", "openapi-generator-cli", version)

/** One client to generate. */
type Generation = {
  generator: string
  document: string
  folder: string
  properties?: readonly string[]
}

async function generate({ generator, document, folder, properties = [] }: Generation) {
  const what = ["generate", "-g", generator, "-i", document, "-o", folder]
  const more = properties.length > 0 ? ["--additional-properties", properties.join(",")] : []
  return run("java", ["-jar", await install(), ...what, ...more])
}

export const openapiGenerator = { version, install, generate }
