/** Look of a chat: fonts, colours, boxes. Stored as sent; clients know the defaults. */
import { z } from "zod"
import { namedObject, optional } from "./sharedMembers.ts"

const fontSchema = z
  .union([
    z.string().describe("Name of a Google font"),
    namedObject("GoogleFont", "A font of Google's collection", {
      type: z.literal("Google").describe("A Google font"),
      family: optional.text("Name of the font", "Open Sans"),
    }),
    namedObject("CustomFont", "A font with its own CSS", {
      type: z.literal("Custom").describe("A font of the author's own"),
      family: optional.text("Name of the font"),
      css: optional.text("CSS that declares the font"),
      url: optional.text("Address of that CSS (deprecated)"),
    }),
  ])
  .meta({ id: "Font", description: "A font by its name or by its source" })

const shadowSchema = z
  .enum(["none", "sm", "md", "lg", "xl", "2xl"])
  .meta({ id: "Shadow", description: "Size of the shadow" })

const boxMembers = {
  backgroundColor: optional.text("CSS colour, or transparent"),
  color: optional.text("CSS colour of the text"),
  blur: z.number().min(0).optional().describe("Blur of the backdrop, in pixels; default 0"),
  opacity: optional.numberBetween("Of the background, from 0 to 1; default 1", 0, 1),
  shadow: shadowSchema.optional(),
  border: optional.named("BoxBorder", "Border of a box", {
    thickness: optional.number("Pixels"),
    color: optional.text("CSS colour"),
    roundeness: optional.oneOf(
      "How round the corners are",
      ["none", "medium", "large", "custom"],
      "medium",
    ),
    customRoundeness: optional.number("Radius in pixels, for roundeness custom"),
    opacity: optional.numberBetween("From 0, invisible, to 1; default 1", 0, 1),
  }),
}

const boxSchema = namedObject("BoxStyle", "Colours, shadow and border of a box", boxMembers)

const avatarSchema = namedObject("Avatar", "Picture beside the messages of one side", {
  isEnabled: optional.flag("Whether to show it; default true for the bot, false for the guest"),
  url: optional.text("Address of the picture; may be a {{variable}}"),
})

/** The look of a chat; every member may be absent. */
export const themeSchema = namedObject(
  "Theme",
  "How a chat looks; absent members have the client's defaults",
  {
    general: optional.named("ThemeGeneral", "Font, background and progress bar", {
      font: fontSchema.optional(),
      background: optional.named("Background", "Background of the chat", {
        type: optional.oneOf("Kind", ["Color", "Image", "None"], "Color"),
        content: optional.text("Colour or address of a picture; may be a {{variable}}"),
      }),
      progressBar: optional.named("ProgressBar", "Progress bar", {
        isEnabled: optional.flag("Whether to show it", false),
        color: optional.text("Colour of the part done"),
        backgroundColor: optional.text("Colour of the part to do"),
        placement: optional.oneOf("Edge that it is placed at", ["Top", "Bottom"], "Top"),
        thickness: optional.number("Pixels", 4),
        position: optional.oneOf(
          "Relative to the page or to the chat",
          ["fixed", "absolute"],
          "absolute",
        ),
      }),
    }),
    chat: optional.named("ChatTheme", "Boxes, avatars and choices of the chat", {
      container: optional.named("ContainerStyle", "The box around the whole chat", {
        ...boxMembers,
        maxWidth: optional.text("CSS width", "800px"),
        maxHeight: optional.text("CSS height", "100%"),
      }),
      hostAvatar: avatarSchema.optional(),
      guestAvatar: avatarSchema.optional(),
      hostBubbles: boxSchema.optional(),
      guestBubbles: boxSchema.optional(),
      buttons: boxSchema.optional(),
      inputs: optional.named("InputStyle", "The box of an input", {
        ...boxMembers,
        placeholderColor: optional.text("CSS colour of the placeholder"),
      }),
      roundness: optional.oneOf("Roundness of every box (deprecated by border.roundeness)", [
        "none",
        "medium",
        "large",
      ]),
      buttonsInput: optional.object("How choices are laid out", {
        layout: optional.oneOf(
          "Whether choices stand side by side or in a column",
          ["wrap", "vertical"],
          "wrap",
        ),
      }),
    }),
    customCss: optional.code("CSS of the author's own", "css"),
  },
)
