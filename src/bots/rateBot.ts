/** Rates the risk of what a bot is about to run, by the words that the operator lists. */
import type { RiskWords } from "../authoring/risk/riskWords.ts"
import { findRisk, saveRating } from "../db/bots/rateBot.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { orNotFound } from "../lib/errors.ts"
import type { Party } from "../lib/party.ts"
import type { HeavyWork } from "./heavy/heavyWork.ts"

type Rating = {
  db: Db
  heavy: HeavyWork
  party: Party
  /** Absent: no bot is rated. */
  words?: RiskWords | undefined
  bot: { id: string; name: string; riskLevel: number | null }
  flow: unknown
}

/** Rates and stores the rating, also if the bot may not be published. Returns the risk that counts: an operator's, or the rating. */
export async function rateBot(rating: Rating): Promise<number | null> {
  const { db, heavy, party, words, bot, flow } = rating
  if (words === undefined) return bot.riskLevel
  const { isNewWorkspace } = orNotFound(await findRisk(db, bot.id), "Bot")
  const input = { flow: { name: bot.name, flow }, words, isNewWorkspace }
  const { level, found } = await heavy.run(party, "rate", input)
  await saveRating(db, bot.id, { riskLevel: level, riskFound: found })
  return orNotFound(await findRisk(db, bot.id), "Bot").riskLevel
}
