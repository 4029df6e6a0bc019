/** Blink: reads users, sends cards to their feeds, and opens pages in its app. */
import { z } from "zod"
import { pick, pickList, pickText } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { bearer, json, request } from "../../api.ts"
import type { Step } from "../../block.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import {
  type ActionOf,
  actionOption,
  carried,
  credentialsOption,
  itemMappingSchema,
  mapItems,
  type Results,
  refusal,
  type ServiceStep,
  serviceBlock,
} from "../serviceBlock.ts"

/** Parts of a user that variables can receive, and their names at Blink. */
const userItems = {
  Emails: "email",
  "Company Names": "company_name",
  "First Names": "first_name",
  "Second Names": "second_name",
  "Display Names": "display_name",
  Initials: "initials",
  "Job Titles": "job_title",
  "Profile Photo IDs": "profile_photo_id",
  Timezones: "timezone",
  "Manager IDs": "manager_id",
  "Department Names": "department_name",
  "Account Statuses": "account_status",
  "User IDs": "id",
  "Employee IDs": "employee_id",
} as const

const sectionSchema = z
  .looseObject({
    type: optional.text(
      "Kind: Header, Text, Labelled Text, Image, Image gallery, YouTube, Link, Buttons, Attachment, Event, Horizontal Bar Chart",
    ),
  })
  .meta({ id: "BlinkSection", description: "A section of a card; further members by its kind" })

const blinkBlockSchema = blockSchemaOf("blink", {
  options: optional.named("BlinkOptions", "Action at Blink and its options", {
    credentialsId: credentialsOption,
    action: actionOption(["Get Users", "Send Feed Event", "Redirect"]),
    filter: optional.object("Get Users: filter; absent: all users", {
      type: optional.oneOf("Member to compare", ["User ID", "Employee ID"]),
      userId: optional.template("Id of the user"),
      employeeId: optional.template("Id of the employee"),
    }),
    categoryId: optional.template("Send Feed Event: category of the event"),
    ribbonColor: optional.template("Send Feed Event: colour of the card's edge"),
    sections: optional.list("Send Feed Event: sections of the card", sectionSchema),
    allowComments: optional.flag("Send Feed Event: whether to allow comments"),
    allowReactions: optional.flag("Send Feed Event: whether to allow reactions"),
    userIds: optional.list("Send Feed Event: users who get it", z.string()),
    groupIds: optional.list("Send Feed Event: groups that get it", z.string()),
    pushNotification: optional.object("Send Feed Event: notification on devices", {
      title: optional.template("Title"),
      text: optional.template("Text"),
    }),
    url: optional.template("Redirect: address to open"),
    responseMapping: itemMappingSchema([...Object.keys(userItems), "Event ID"]),
  }),
}).meta({ id: "BlinkBlock" })

type BlinkAction = ActionOf<typeof blinkBlockSchema>

export const blinkBlock = serviceBlock(blinkBlockSchema, {
  catalogue: {
    label: "Blink",
    description: "Reads users of Blink, posts to their feeds, or opens a page in its app",
    category: "communication",
    icon: "megaphone",
    messengers: "reduced",
  },
  actions: {
    // Reads page after page until it finds the user or the list ends.
    "Get Users": {
      activity: "While reading users of Blink",
      run: (action) => readPage(action, 1, []),
      resume: { http: goOn },
    },
    "Send Feed Event": {
      activity: "While sending an event to Blink",
      run: send,
      resume: {
        http: ({ options }, { data }) => {
          const id = pickText(data, "data", "event_id") ?? pickText(data, "event_id")
          return { set: mapItems(options.responseMapping, "Event ID", { "Event ID": id }) }
        },
      },
    },
    Redirect: { run: redirect },
  },
})

/** Leaves the frame of the chat where the app allows it, else opens a window. */
const redirectCode = `try {
  window.top.location.href = url
} catch {
  window.open(url, "_blank")
}`

function redirect({ options }: BlinkAction): ServiceStep {
  const { url } = options
  if (!url) return refusal("No address is given")
  if (!/^(https?|blink):/i.test(url)) return refusal("The address cannot be opened")
  const codeToExecute = { args: { url }, content: redirectCode }
  return { act: [{ type: "codeToExecute", codeToExecute }] }
}

/** Puts a card into the feed of users (Blink's CardKit). */
function send(action: BlinkAction): ServiceStep {
  const { categoryId, ribbonColor, userIds = [], groupIds = [], pushNotification } = action.options
  const sections = (action.options.sections ?? []).filter(({ type }) => type).map(sectionOf)
  if (!categoryId) return refusal("No category is given")
  if (sections.length === 0) return refusal("No sections are given")
  if (userIds.length + groupIds.length === 0) return refusal("No users or groups are given")
  return request(action, {
    method: "POST",
    url: "https://api.joinblink.com/v2/feed/events",
    headers: [bearer()],
    body: json({
      category: categoryId,
      body: { ...nonEmpty({ ribbon_color: ribbonColor }), sections },
      ...nonEmpty({
        user_ids: userIds,
        group_ids: groupIds,
        notification_title: pushNotification?.title,
        notification_text: pushNotification?.text,
      }),
      allow_comments: action.options.allowComments ?? false,
      allow_reactions: action.options.allowReactions ?? false,
    }),
  })
}

/** Converts names of members and kinds to Blink's spelling: `iconUrl` becomes `icon_url`. */
function sectionOf(section: Record<string, unknown>): object {
  const { id, type, ...members } = section
  return { type: snake(String(type)), ...Object.fromEntries(Object.entries(members).map(spelled)) }
}

function spelled([name, value]: [string, unknown]): [string, unknown] {
  return [snake(name), spelledValue(value)]
}

function spelledValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledValue)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap((member) => (member[0] === "id" ? [] : [spelled(member)])),
  )
}

function snake(name: string): string {
  if (name === "YouTube") return "youtube"
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(" ", "_")
    .toLowerCase()
}

/** The requested page, and the users found before it. */
type Reading = { page: number; found: unknown[] }

/** Max pages per search. */
const maxPages = 20

function goOn(action: BlinkAction, { data }: Results["http"]): ServiceStep {
  const { page, found: earlier } = carried<Reading>(action.context) ?? { page: 1, found: [] }
  const rows = pickList(data, "data")
  const found = [...earlier, ...rows.filter(filterOf(action)).map(trimmed)]
  const isFound = wantedId(action.options) !== undefined && found.length > 0
  const isDone = rows.length === 0 || page >= maxPages || isFound
  return isDone ? keep(action, found) : readPage(action, page + 1, found)
}

function readPage(action: BlinkAction, page: number, found: unknown[]): ServiceStep {
  const pageRequest = {
    method: "GET",
    url: "https://api.joinblink.com/v2/user",
    query: [["page", String(page)]] satisfies [string, string][],
    headers: [bearer()],
  }
  return request(action, pageRequest, { carry: { page, found } })
}

function keep({ options }: BlinkAction, found: unknown[]): Step {
  if (found.length === 0)
    return { log: [{ status: "info", description: "No user of Blink matches" }] }
  const values = Object.entries(userItems).map(([item, member]) => {
    const list = found.map((user) => pick(user, member) ?? null)
    return [item, list.length === 1 ? list[0] : list]
  })
  return { set: mapItems(options.responseMapping, "Emails", Object.fromEntries(values)) }
}

// Carries only mappable members to the next page.
function trimmed(user: unknown): object {
  return Object.fromEntries(
    Object.values(userItems).map((member) => [member, pick(user, member) ?? null]),
  )
}

function filterOf({ options }: BlinkAction): (user: unknown) => boolean {
  const wanted = wantedId(options)
  if (wanted === undefined) return () => true
  const member = options.filter?.type === "Employee ID" ? "employee_id" : "id"
  return (user) => pick(user, member) === wanted
}

function wantedId({ filter }: BlinkAction["options"]): string | undefined {
  if (!filter?.type) return undefined
  return (filter.type === "Employee ID" ? filter.employeeId : filter.userId) ?? ""
}
