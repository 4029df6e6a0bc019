/** Has the model that a workspace names choose the title of a group. */
import { isUntitled, titleIn, titleQuestion, titleSchema } from "../authoring/titles/groupTitles.ts"
import { failed } from "../effects/failures.ts"
import type { Performer } from "../effects/perform.ts"
import { modelProviders } from "../engine/blocks/registry.ts"
import type { Flow } from "../engine/bot.ts"
import { type Failure, isFailure } from "../engine/calls.ts"
import { badRequest, orNotFound } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import { userParty } from "../lib/party.ts"

/** An editor waits for the title. */
const maxMs = 30_000

/** Enough for models that think before they answer. */
const maxTokens = 2_000

/** As workspaces store it. */
export type TitleSettings = {
  isEnabled?: boolean | undefined
  provider?: string | undefined
  credentialsId?: string | undefined
  model?: string | undefined
  prompt?: string | undefined
}

type Asking = {
  flow: Flow
  groupId: string
  /** Whether a group that has a title gets another one. */
  overwrites: boolean
  settings: TitleSettings | undefined
  bot: { id: string; workspaceId: string }
  userId: string
  askModel: Performer<"model">
}

/** Resolves to a failure when the model gives no title; throws a 400 when it cannot be asked. */
export async function generateGroupTitle(asking: Asking): Promise<{ title: string } | Failure> {
  const { flow, groupId, overwrites, settings, bot, userId, askModel } = asking
  const { provider, credentialsId, model, prompt } = requireSettings(settings)
  const group = orNotFound(
    flow.groups.find(({ id }) => id === groupId),
    "Group",
  )
  if (!overwrites && !isUntitled(group)) {
    throw badRequest(
      "The group has a title of its own: send `overwrite` to have another one chosen",
    )
  }
  const messages = titleQuestion(flow, group, prompt)
  if (!messages) throw badRequest("The group has no blocks by which to choose a title")
  const { type, takesSchema, protocol, baseUrl } = provider
  const key = newUuid()
  const answer = await askModel(
    {
      kind: "model",
      credential: { id: credentialsId, type },
      ...{ protocol, baseUrl, model, messages, maxTokens, maxSteps: 1 },
      ...(takesSchema && { answerSchema: titleSchema }),
    },
    {
      ...{ party: userParty(userId), workspaceId: bot.workspaceId, previewerId: userId },
      ...{ botId: bot.id, sessionId: key, fileOwners: [{ botId: bot.id }], isPreview: true },
      ...{ isRestricted: false, idempotencyKey: key, turnKey: key },
      signal: AbortSignal.timeout(maxMs),
    },
  )
  if (isFailure(answer)) return answer
  const title = titleIn(answer.text)
  return title === undefined ? failed("The model gave no title") : { title }
}

const where = "`settings.groupTitlesAutoGeneration` of the workspace"

function requireSettings({
  isEnabled,
  provider,
  credentialsId,
  model,
  prompt,
}: TitleSettings = {}) {
  if (!isEnabled) throw badRequest(`Titles of groups are not generated: switch it on in ${where}`)
  if (!credentialsId || !model) {
    throw badRequest(`A model and its credential are missing in ${where}`)
  }
  const type = provider?.trim().toLowerCase() ?? ""
  const found = modelProviders.get(type)
  if (found) return { provider: { type, ...found }, credentialsId, model, prompt }
  const known = [...modelProviders.keys()].join(", ")
  throw badRequest(`The provider in ${where} is unknown: name one of ${known}`)
}
