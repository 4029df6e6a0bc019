/** The bots that every workspace can begin with. */
import type { ImportedBot } from "../../authoring/upgrade/importedBot.ts"
import { AppError } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { newIdsOf, withNewIds } from "../withNewIds.ts"
import { appointment } from "./appointment.ts"
import { eventSignUp } from "./eventSignUp.ts"
import { faq } from "./faq.ts"
import { feedback } from "./feedback.ts"
import { leadForm } from "./leadForm.ts"
import { newsletter } from "./newsletter.ts"
import { onboarding } from "./onboarding.ts"
import { orderStatus } from "./orderStatus.ts"
import { priceCalculator } from "./priceCalculator.ts"
import { quiz } from "./quiz.ts"
import { flowOf, type Starter } from "./starter.ts"
import { supportHandOver } from "./supportHandOver.ts"
import { survey } from "./survey.ts"

/** In the order in which editors show them. */
export const starters: readonly Starter[] = [
  leadForm,
  survey,
  faq,
  appointment,
  quiz,
  supportHandOver,
  orderStatus,
  feedback,
  eventSignUp,
  newsletter,
  onboarding,
  priceCalculator,
]

/** A starter as a bot to import, under ids of its own; an unknown id is refused. */
export function botOfStarter(id: string): ImportedBot {
  const starter = starters.find((each) => each.id === id)
  if (starter === undefined) {
    const ids = starters.map((each) => each.id).join(", ")
    throw new AppError("TEMPLATE_UNKNOWN", `There is no template "${id}". Templates are: ${ids}`)
  }
  const { name, icon, themeId } = starter
  const flow = flowOf(starter)
  const about = { name, icon, folderId: null, resultsTablePreferences: null }
  const ids = newIdsOf(flow, newId)
  return { ...about, ...withNewIds(flow, ids), selectedThemeTemplateId: themeId }
}
