/** Loads the words by which bots are rated. */
import { readFile } from "node:fs/promises"
import { type RiskWords, readRiskWords } from "../authoring/risk/riskWords.ts"

/** Resolves to undefined without a file; throws a sentence for one that cannot be used. */
export async function loadRiskWords(path: string | undefined): Promise<RiskWords | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, "utf8")
  try {
    return readRiskWords(text)
  } catch (error) {
    throw new Error(`The file of PARLEY_RISK_WORDS cannot be used: ${(error as Error).message}.`)
  }
}
