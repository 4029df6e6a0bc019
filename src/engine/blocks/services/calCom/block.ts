/** Cal.com: shows a calendar and waits until an event is booked. */

import { assignTo } from "../../../calls.ts"
import { readJson } from "../../../foreignJson.ts"
import type { Action, Step } from "../../block.ts"
import { asObject } from "../../keyValues.ts"
import { type ActionContext, refusal, type ServiceCall, serviceBlock } from "../service.ts"
import { initCode, waitCode } from "./clientCode.ts"
import { type CalComBlock, type CalComOptions, calComBlockSchema } from "./schema.ts"

const layouts = { Month: "month_view", Weekly: "week_view", Columns: "column_view" } as const

export const calComBlock: Action<CalComBlock, ServiceCall> = {
  ...serviceBlock(
    calComBlockSchema,
    { "Book event": { run: showCalendar } },
    { needsAccount: false },
  ),
  waits: ({ options }) => Boolean(options?.action && options.link),
  receive: ({ options }, text) => ({
    set: assignTo(options?.saveBookedDateInVariableId, readJson(text)),
  }),
}

function showCalendar({ options }: ActionContext<CalComOptions>): Step {
  const { baseUrl = "https://app.cal.com", link, layout = "Month" } = options
  if (!link) return refusal("No link to an event is given")
  if (/^\s*(javascript|data|vbscript):/i.test(link)) return refusal("The link is not an address")
  const others = options.anyPrefilledInformations?.map(({ questionId, value }) => {
    return { key: questionId, value }
  })
  const args = {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    link: link.replace(/^https?:\/\/[^/]+/, "").replace(/^\/+/, ""),
    name: options.name ?? null,
    email: options.email ?? null,
    layout: layouts[layout],
    phone: options.phone ?? null,
    additionalNotes: options.additionalNotes ?? null,
    otherPrefilledInformations: asObject(others),
  }
  return {
    say: [
      {
        type: "custom-embed",
        content: {
          url: link,
          initFunction: { args, content: initCode },
          waitForEventFunction: { args: {}, content: waitCode },
        },
      },
    ],
    next: "waitForClient",
  }
}
