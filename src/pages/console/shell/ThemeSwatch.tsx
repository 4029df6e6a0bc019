/** A theme in little: its page, a message of the bot, one of a visitor, and a button. */
import type { Outputs } from "./api.ts"
import classes from "./ThemeSwatch.module.css"

type Theme = Outputs["themeTemplate"]["list"]["themeTemplates"][number]["theme"]

export function ThemeSwatch({ theme: { general, chat } }: { theme: Theme }) {
  const { background } = general ?? {}
  const isColor = background?.type !== "Image" && background?.content
  return (
    <span
      className={classes.swatch}
      style={{ background: isColor ? background.content : "var(--quiet)" }}
    >
      <span style={{ background: chat?.hostBubbles?.backgroundColor ?? "#f7f8ff" }} />
      <span style={{ background: chat?.guestBubbles?.backgroundColor ?? "#ff8e21" }} />
      <span style={{ background: chat?.buttons?.backgroundColor ?? "#0042da" }} />
    </span>
  )
}
