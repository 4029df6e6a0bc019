/** How a chat looks: fonts, colours, boxes. Stored as sent; clients know the defaults. */
import { z } from "zod"

/** Longest piece of an author's CSS or HTML, in characters. */
export const maxCodeLength = 100_000

const textOf = (description: string) => z.string().optional().describe(description)
const flagOf = (description: string) => z.boolean().optional().describe(description)
const numberOf = (description: string) => z.number().optional().describe(description)
const fractionOf = (description: string) =>
  z.number().min(0).max(1).optional().describe(description)

const fontSchema = z
  .union([
    z.string().describe("Name of a Google font"),
    z.object({
      type: z.literal("Google").describe("A Google font"),
      family: textOf("Name of the font; default Open Sans"),
    }),
    z.object({
      type: z.literal("Custom").describe("A font of the author's own"),
      family: textOf("Name of the font"),
      css: textOf("CSS that declares the font"),
      url: textOf("Address of that CSS (deprecated)"),
    }),
  ])
  .meta({ id: "Font", description: "A font by its name or by its source" })

const backgroundSchema = z
  .object({
    type: z.enum(["Color", "Image", "None"]).optional().describe("Kind; default Color"),
    content: textOf("Colour or address of a picture; may be a {{variable}}"),
  })
  .meta({ id: "Background", description: "What lies behind the chat" })

const progressBarSchema = z
  .object({
    isEnabled: flagOf("Whether to show it; default false"),
    color: textOf("Colour of the part done"),
    backgroundColor: textOf("Colour of the part to do"),
    placement: z.enum(["Top", "Bottom"]).optional().describe("Edge it lies at; default Top"),
    thickness: numberOf("Pixels; default 4"),
    position: z
      .enum(["fixed", "absolute"])
      .optional()
      .describe("Relative to the page or to the chat; default absolute"),
  })
  .meta({ id: "ProgressBar", description: "Bar that shows how far the chat has come" })

const generalSchema = z
  .object({
    font: fontSchema.optional(),
    background: backgroundSchema.optional(),
    progressBar: progressBarSchema.optional(),
  })
  .meta({ id: "ThemeGeneral", description: "Font, background and progress bar" })

const borderSchema = z
  .object({
    thickness: numberOf("Pixels"),
    color: textOf("CSS colour"),
    roundeness: z
      .enum(["none", "medium", "large", "custom"])
      .optional()
      .describe("How round the corners are; default medium"),
    customRoundeness: numberOf("Radius in pixels, for roundeness custom"),
    opacity: fractionOf("From 0, invisible, to 1; default 1"),
  })
  .meta({ id: "BoxBorder", description: "Border of a box" })

const boxMembers = {
  backgroundColor: textOf("CSS colour, or transparent"),
  color: textOf("CSS colour of the text"),
  blur: z.number().min(0).optional().describe("Blur of what lies behind, in pixels; default 0"),
  opacity: fractionOf("Of the background, from 0 to 1; default 1"),
  shadow: z.enum(["none", "sm", "md", "lg", "xl", "2xl"]).optional().describe("Size of the shadow"),
  border: borderSchema.optional(),
}

const boxSchema = z
  .object(boxMembers)
  .meta({ id: "BoxStyle", description: "Colours, shadow and border of a box" })

const containerSchema = z
  .object({
    ...boxMembers,
    maxWidth: textOf("CSS width; default 800px"),
    maxHeight: textOf("CSS height; default 100%"),
  })
  .meta({ id: "ContainerStyle", description: "The box around the whole chat" })

const inputBoxSchema = z
  .object({ ...boxMembers, placeholderColor: textOf("CSS colour of the placeholder") })
  .meta({ id: "InputStyle", description: "The box of an input" })

const avatarSchema = z
  .object({
    isEnabled: flagOf("Whether to show it; default true for the bot, false for the guest"),
    url: textOf("Address of the picture; may be a {{variable}}"),
  })
  .meta({ id: "Avatar", description: "Picture beside the messages of one side" })

const chatThemeSchema = z
  .object({
    container: containerSchema.optional(),
    hostAvatar: avatarSchema.optional(),
    guestAvatar: avatarSchema.optional(),
    hostBubbles: boxSchema.optional(),
    guestBubbles: boxSchema.optional(),
    buttons: boxSchema.optional(),
    inputs: inputBoxSchema.optional(),
    roundness: z
      .enum(["none", "medium", "large"])
      .optional()
      .describe("Roundness of every box (deprecated by border.roundeness)"),
    buttonsInput: z
      .object({
        layout: z
          .enum(["wrap", "vertical"])
          .optional()
          .describe("Whether choices stand side by side or in a column; default wrap"),
      })
      .optional()
      .describe("How choices are laid out"),
  })
  .meta({ id: "ChatTheme", description: "Boxes, avatars and choices of the chat" })

/** The look of a chat; every member may be absent. */
export const themeSchema = z
  .object({
    general: generalSchema.optional(),
    chat: chatThemeSchema.optional(),
    customCss: z.string().max(maxCodeLength).optional().describe("CSS of the author's own"),
  })
  .meta({ id: "Theme", description: "How a chat looks; absent members have the client's defaults" })

export type Theme = z.infer<typeof themeSchema>
