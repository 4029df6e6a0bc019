/** Stored form of the Blink block. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption, itemMappingSchema } from "../serviceSchema.ts"

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
    type: optional.text(
      "Kind: Header, Text, Labelled Text, Image, Image gallery, YouTube, Link, Buttons, Attachment, Event, Horizontal Bar Chart",
    ),
  })
  .meta({ id: "BlinkSection", description: "A section of a card; further members by its kind" })

export const blinkBlockSchema = blockSchemaOf("blink", {
  options: optional.named("BlinkOptions", "What to do at Blink", {
    credentialsId: credentialsOption,
    action: actionOption(["Get Users", "Send Feed Event", "Redirect"]),
    filter: optional.object("Get Users: who is meant; absent: everybody", {
      type: optional.oneOf("What is compared", ["User ID", "Employee ID"]),
      userId: optional.template("Id of the user"),
      employeeId: optional.template("Id of the employee"),
    }),
    categoryId: optional.template("Send Feed Event: category of the event"),
    ribbonColor: optional.template("Send Feed Event: colour of the card's edge"),
    sections: optional.list("Send Feed Event: what the card shows", sectionSchema),
    allowComments: optional.flag("Send Feed Event: whether to allow comments"),
    allowReactions: optional.flag("Send Feed Event: whether to allow reactions"),
    userIds: optional.list("Send Feed Event: users who get it", z.string()),
    groupIds: optional.list("Send Feed Event: groups that get it", z.string()),
    pushNotification: optional.object("Send Feed Event: notification on devices", {
      title: optional.template("Title"),
      text: optional.template("Text"),
    }),
    url: optional.template("Redirect: what to open"),
    responseMapping: itemMappingSchema([...Object.keys(userItems), "Event ID"]),
  }),
}).meta({ id: "BlinkBlock" })

export type BlinkBlock = z.infer<typeof blinkBlockSchema>
export type BlinkOptions = NonNullable<BlinkBlock["options"]>
