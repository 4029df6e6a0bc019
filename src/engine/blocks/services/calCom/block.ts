/** Cal.com: shows a calendar and waits until an event is booked. */

import { readJson } from "../../../../lib/foreignJson.ts"
import { assignTo } from "../../../calls.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import type { Step } from "../../block.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { asObject } from "../../keyValues.ts"
import { type ActionOf, actionOption, refusal, serviceBlock } from "../serviceBlock.ts"

const calComBlockSchema = blockSchemaOf("cal-com", {
  options: optional.named("CalComOptions", "The event to book", {
    action: actionOption(["Book event"]),
    baseUrl: optional.template("Address of the Cal.com instance; default https://app.cal.com"),
    link: optional.template("Address of the event to book"),
    layout: optional.oneOf("How the calendar is shown", ["Month", "Weekly", "Columns"], "Month"),
    name: optional.template("Name to fill in"),
    email: optional.template("Mail address to fill in"),
    phone: optional.template("Phone number to fill in"),
    additionalNotes: optional.template("Notes to fill in"),
    anyPrefilledInformations: optional
      .entries("Answers to further questions", {
        questionId: optional.template("Identifier of the booking question"),
        value: optional.template("Answer to fill in"),
      })
      .meta({ title: "Other answers" }),
    saveBookedDateInVariableId: optional.variableId("Variable for the booked date"),
  }),
}).meta({ id: "CalComBlock" })

const layouts = { Month: "month_view", Weekly: "week_view", Columns: "column_view" } as const

export const calComBlock = serviceBlock(calComBlockSchema, {
  catalogue: {
    label: "Cal.com",
    description: "Shows a calendar and waits until a meeting is booked",
    category: "communication",
    icon: "calendar-check",
    messengers: "none",
  },
  needsAccount: false,
  actions: { "Book event": { run: showCalendar } },
  waits: ({ options }) => Boolean(options?.action && options.link),
  receive: ({ options }, text) => ({
    set: assignTo(options?.saveBookedDateInVariableId, readJson(text)),
  }),
})

function showCalendar({ options, raw, context }: ActionOf<typeof calComBlockSchema>): Step {
  const { baseUrl = "https://app.cal.com", layout = "Month" } = options
  const link = interpolateUrl(raw.link, context)
  if (!link) return refusal("No link to an event is given")
  if (safeUrl(link) === undefined) return refusal("The link is not an address")
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
  const content = {
    url: link,
    initFunction: { args, content: initCode },
    waitForEventFunction: { args: {}, content: waitCode },
  }
  return { say: [{ type: "custom-embed", content }], next: "waitForClient" }
}

/** Shows the calendar in `typebotElement`; the other names are arguments. */
const initCode = `if (!window.Cal) {
  const queue = []
  const cal = function () { queue.push(arguments) }
  cal.ns = {}
  cal.q = queue
  cal.loaded = true
  window.Cal = cal
  const script = document.createElement("script")
  script.src = baseUrl + "/embed/embed.js"
  script.async = true
  document.head.append(script)
}
const given = (members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value))
window.Cal("init", { origin: baseUrl })
window.Cal("inline", {
  elementOrSelector: typebotElement,
  calLink: link,
  layout,
  config: {
    layout,
    ...given({ name, email, notes: additionalNotes, phone, attendeePhoneNumber: phone }),
    ...(otherPrefilledInformations || {}),
  },
})`

/** Calls `continueFlow` with the date, once something is booked. */
const waitCode = `let isBooked = false
window.Cal("on", {
  action: "bookingSuccessful",
  callback: (event) => {
    if (isBooked) return
    isBooked = true
    const data = event.detail.data || {}
    continueFlow(data.date || (data.booking && data.booking.startTime))
  },
})`
