/** Cal.com: shows a calendar and waits until an event is booked. */

import { readJson } from "../../../variables/readJson.ts"
import type { Action, Step } from "../../block.ts"
import { act, refusal, type Visit } from "../service.ts"
import { initCode, waitCode } from "./clientCode.ts"
import { type CalComBlock, type CalComOptions, calComBlockSchema } from "./schema.ts"

const layouts = { Month: "month_view", Weekly: "week_view", Columns: "column_view" } as const

export const calComBlock: Action<CalComBlock> = {
  kind: "action",
  schema: calComBlockSchema,
  waits: ({ options }) => Boolean(options?.action && options.link),
  run: (block, context) => act(block, context, { "Book event": showCalendar }),
  receive: ({ options }, text) => {
    const variableId = options?.saveBookedDateInVariableId
    return variableId ? { set: [{ variableId, value: readJson(text) }] } : {}
  },
}

function showCalendar({ options }: Visit<CalComOptions>): Step {
  const { baseUrl = "https://app.cal.com", link, layout = "Month" } = options
  if (!link) return refusal("No link to an event is given")
  if (/^\s*(javascript|data|vbscript):/i.test(link)) return refusal("The link is not an address")
  const others = (options.anyPrefilledInformations ?? []).flatMap(
    ({ questionId, value }): [string, string][] =>
      questionId && value ? [[questionId, value]] : [],
  )
  const args = {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    link: link.replace(/^https?:\/\/[^/]+/, "").replace(/^\/+/, ""),
    name: options.name ?? null,
    email: options.email ?? null,
    layout: layouts[layout],
    phone: options.phone ?? null,
    additionalNotes: options.additionalNotes ?? null,
    otherPrefilledInformations: Object.fromEntries(others),
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
