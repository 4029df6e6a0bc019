/** Type-checks code that is in no file, in one program. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compilers } from "./compilers.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The parts of the compiler that are used; of TypeScript 7 there is only the command. */
type Compiler = {
  sys: { readFile(path: string): string | undefined; fileExists(path: string): boolean }
  parseJsonConfigFileContent(config: unknown, sys: object, folder: string): { options: object }
  createCompilerHost(options: object): Compiler["sys"]
  createProgram(names: string[], options: object, host: object): Program
  flattenDiagnosticMessageText(text: unknown, line: string): string
}
type Program = {
  getSourceFile(name: string): object
  getSyntacticDiagnostics(file: object): { messageText: unknown }[]
  getSemanticDiagnostics(file: object): { messageText: unknown }[]
}

/** What the compiler says about these texts, by path, alone: the rest of the product is checked elsewhere. */
export async function complaintsAboutFiles(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const [, former = ""] = await compilers()
  const ts: Compiler = createRequire(former)("typescript")
  const config = JSON.parse(await readFile(join(root, "tsconfig.json"), "utf8"))
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
  const used = { ...options, noUnusedLocals: false }
  const host = ts.createCompilerHost(used)
  const { readFile: read, fileExists } = host
  host.readFile = (name) => texts.get(name) ?? read(name)
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  const program = ts.createProgram([...texts.keys()], used, host)
  return [...texts.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, " "))
  })
}
