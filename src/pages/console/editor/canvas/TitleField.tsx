/** A title that is edited where it stands. */
import { useState } from "react"
import { useTexts } from "../../shell/texts.ts"
import classes from "./Canvas.module.css"
import { canvasTexts } from "./canvasTexts.ts"

type Props = {
  title: string
  /** Absent: it can only be read. */
  onRename: ((title: string) => void) | undefined
}

export function TitleField({ title, onRename }: Props) {
  const t = useTexts(canvasTexts)
  const [isEdited, setEdited] = useState(false)
  const shown = title || <span className={classes.faint}>{t.untitled}</span>
  if (!onRename) return <h2 className={classes.title}>{shown}</h2>
  if (!isEdited)
    return (
      <h2 className={classes.title}>
        <button
          type="button"
          className={`${classes.titleButton} nokey`}
          onClick={() => setEdited(true)}
        >
          {shown}
        </button>
      </h2>
    )
  const leave = (next: string) => {
    setEdited(false)
    if (next !== title) onRename(next)
  }
  return (
    <input
      className={`${classes.titleInput} nodrag nokey`}
      aria-label={t.titleOf}
      defaultValue={title}
      maxLength={1_000}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed.
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => leave(event.currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur()
        if (event.key !== "Escape") return
        event.currentTarget.value = title
        event.currentTarget.blur()
      }}
    />
  )
}
