/**
 * Runs test files one after the other in a process that keeps the product loaded, while whatever
 * the tests wrote themselves is loaded anew for each file: servers, databases and hooks at the top
 * of a file in `support` are the test file's own.
 */
import type { ModuleRunner } from "vite/module-runner"
import { TestRunner } from "vitest"

/** What knows nothing of test files, and remembers what it found out. */
const lasting = /\/test\/support\/(clusterRules|statementJudge)\.ts$/

/** Vitest puts it into every runner, but its types tell only Vitest itself. */
type Loading = { moduleRunner: ModuleRunner }

// Vitest takes runners as classes only.
export default class FreshTestFiles extends TestRunner {
  override importFile(path: string, source: "collect" | "setup"): unknown {
    if (source === "collect") forgetTests(this as unknown as Loading)
    return super.importFile(path, source)
  }
}

function forgetTests({ moduleRunner: { evaluatedModules } }: Loading): void {
  for (const module of evaluatedModules.idToModuleMap.values()) {
    const isOfTests = /\/test\/|\.test\.ts$/.test(module.file)
    if (isOfTests && !lasting.test(module.file)) evaluatedModules.invalidateModule(module)
  }
}
