/** Stored form of the Blink block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { actionOption, credentialsOption, itemMappingSchema, text } from "../serviceSchema.ts"

/** Parts of a user that variables can receive, and their names at Blink. */
export const userItems = {
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
    type: z
      .string()
      .optional()
      .describe(
        "Kind: Header, Text, Labelled Text, Image, Image gallery, YouTube, Link, Buttons, Attachment, Event, Horizontal Bar Chart",
      ),
  })
  .meta({ id: "BlinkSection", description: "A section of a card; further members by its kind" })

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Get Users", "Send Feed Event", "Redirect"]),
    filter: z
      .object({
        type: z.enum(["User ID", "Employee ID"]).optional().describe("What is compared"),
        userId: text("Id of the user"),
        employeeId: text("Id of the employee"),
      })
      .optional()
      .describe("Get Users: who is meant; absent: everybody"),
    categoryId: text("Send Feed Event: category of the event"),
    ribbonColor: text("Send Feed Event: colour of the card's edge"),
    sections: z.array(sectionSchema).optional().describe("Send Feed Event: what the card shows"),
    allowComments: z.boolean().optional().describe("Send Feed Event: whether to allow comments"),
    allowReactions: z.boolean().optional().describe("Send Feed Event: whether to allow reactions"),
    userIds: z.array(z.string()).optional().describe("Send Feed Event: users who get it"),
    groupIds: z.array(z.string()).optional().describe("Send Feed Event: groups that get it"),
    pushNotification: z
      .object({ title: text("Title"), text: text("Text") })
      .optional()
      .describe("Send Feed Event: notification on devices"),
    url: text("Redirect: what to open"),
    responseMapping: itemMappingSchema([...Object.keys(userItems), "Event ID"]),
  })
  .meta({ id: "BlinkOptions", description: "What to do at Blink" })

export type BlinkOptions = z.infer<typeof optionsSchema>

export const blinkBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("blink").describe("Blink"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "BlinkBlock", description: "Reads users of Blink, or sends them an event" })

export type BlinkBlock = z.infer<typeof blinkBlockSchema>
