/** What the bot, the person and the team said, as text. */
import { Text } from "@mantine/core"
import { Icon } from "../shell/Icon.tsx"
import type { IconName } from "../shell/iconNames.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ChatLines.module.css"
import { plainOf } from "./plainOf.ts"

const texts = defineTexts({
  en: {
    bot: "Bot",
    person: "Visitor",
    team: "Team",
    paused: "while paused",
    types: {
      image: "Image",
      video: "Video",
      audio: "Audio",
      file: "File",
      embed: "Embed",
      "custom-embed": "Embed",
    } as Record<string, string>,
  },
  de: {
    bot: "Bot",
    person: "Besucher",
    team: "Team",
    paused: "während der Pause",
    types: {
      image: "Bild",
      video: "Video",
      audio: "Audio",
      file: "Datei",
      embed: "Einbettung",
      "custom-embed": "Einbettung",
    },
  },
})

const icons: Readonly<Record<string, IconName>> = {
  image: "image",
  video: "play",
  audio: "play",
  file: "file",
  embed: "code",
  "custom-embed": "code",
}

export type Line = {
  at: string
  from: string
  author?: string | undefined
  groupTitle?: string | undefined
  type: string
  text: string
  wasPaused?: boolean | undefined
}

export function ChatLines({ lines }: { lines: readonly Line[] }) {
  const t = useTexts(texts)
  const writing = useWriting()
  /** The day is said once. */
  const momentOf = (at: string, before: string | undefined) =>
    before !== undefined && writing.day(before) === writing.day(at)
      ? writing.time(at)
      : writing.moment(at)
  const names: Record<string, string> = { bot: t.bot, person: t.person, team: t.team }
  return (
    <ol className={classes.lines}>
      {lines.map((line, place) => {
        const former = lines[place - 1]
        const isNewGroup = line.groupTitle !== undefined && line.groupTitle !== former?.groupTitle
        const isNewVoice =
          isNewGroup || line.from !== former?.from || line.author !== former?.author
        const name = line.author ?? names[line.from] ?? line.from
        return (
          <li key={place} className={classes.line} data-from={line.from}>
            {isNewGroup && line.from !== "person" && (
              <span className={classes.group}>{line.groupTitle}</span>
            )}
            {isNewVoice && (
              <span className={classes.voice}>
                <bdi>{name}</bdi> · <time dateTime={line.at}>{momentOf(line.at, former?.at)}</time>
                {line.wasPaused === true && ` · ${t.paused}`}
              </span>
            )}
            <div className={classes.bubble} dir="auto">
              {line.type !== "text" && (
                <Text span size="xs" c="dimmed" className={classes.kind}>
                  <Icon name={icons[line.type] ?? "file"} size={14} />
                  {t.types[line.type] ?? line.type}
                </Text>
              )}
              {line.from === "person" ? line.text : plainOf(line.text)}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
