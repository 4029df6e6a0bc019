/** The first step to a new bot: nothing, a file, or a starter with its picture. */
import { Group, Skeleton, Text, UnstyledButton } from "@mantine/core"
import { useState } from "react"
import { useDropzone } from "react-dropzone"
import { Icon } from "../../shell/Icon.tsx"
import { Problem } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import { useStarters } from "../../shell/useCatalogue.ts"
import classes from "./dialogs.module.css"
import { dialogTexts } from "./dialogTexts.ts"
import type { Template } from "./wayProps.ts"

type Props = {
  onEmpty: () => void
  onFile: (file: File) => void
  onTemplate: (template: Template) => void
}

export function Gallery({ onEmpty, onFile, onTemplate }: Props) {
  const t = useTexts(dialogTexts)
  const [category, setCategory] = useState<string>()
  const { data, error, refetch } = useStarters()
  const templates = data ?? []
  const categories = [...new Set(templates.map((each) => each.category))]
  const shown = templates.filter((each) => category === undefined || each.category === category)
  return (
    <>
      <div className={classes.ways}>
        <UnstyledButton className={classes.way} onClick={onEmpty} data-autofocus>
          <Icon name="plus" />
          <span>
            <strong>{t.emptyBot}</strong>
            <small>{t.emptyBotWhy}</small>
          </span>
        </UnstyledButton>
        <FileChoice onFile={onFile} />
      </div>
      <Group justify="space-between" mt="lg" mb="sm">
        <Text component="h2" fw={600} size="sm">
          {t.starters}
        </Text>
        <div className={classes.categories}>
          {[undefined, ...categories].map((each) => (
            <UnstyledButton
              key={each ?? ""}
              className={classes.category}
              aria-pressed={each === category}
              onClick={() => setCategory(each)}
            >
              {each ?? t.all}
            </UnstyledButton>
          ))}
        </div>
      </Group>
      {error && <Problem error={error} retry={refetch} />}
      <ul className={classes.starters}>
        {data === undefined && !error
          ? ["a", "b", "c", "d", "e", "f"].map((key) => <Skeleton key={key} height={240} />)
          : shown.map((template) => (
              <li key={template.id}>
                <UnstyledButton className={classes.starter} onClick={() => onTemplate(template)}>
                  <img src={template.picture} alt="" width={320} height={200} />
                  <strong>{template.name}</strong>
                  <small>{template.description}</small>
                </UnstyledButton>
              </li>
            ))}
      </ul>
    </>
  )
}

/** A place to drop a file, which also opens the choice of one. */
export function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  const t = useTexts(dialogTexts)
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    multiple: false,
    onDrop: ([file]) => file && onFile(file),
  })
  return (
    <>
      <input {...getInputProps()} hidden />
      <UnstyledButton
        {...getRootProps({ role: "button" })}
        className={classes.way}
        data-active={isDragActive || undefined}
      >
        <Icon name="upload" />
        <span>
          <strong>{t.choose}</strong>
          <small>{t.chooseWhy}</small>
        </span>
      </UnstyledButton>
    </>
  )
}
