/** A button that uploads a file of the bot and hands on its address. */
import { ActionIcon, FileButton } from "@mantine/core"
import { useState } from "react"
import { parley } from "../../../shell/api.ts"
import { Icon } from "../../../shell/Icon.tsx"
import { reportProblem } from "../../../shell/notify.ts"
import { useTexts } from "../../../shell/texts.ts"
import { useEditing } from "../../editing.ts"
import { blockTexts } from "../blockTexts.ts"

export function UploadFile({ onFile }: { onFile(url: string): void }) {
  const t = useTexts(blockTexts)
  const { botId } = useEditing()
  const [isBusy, setBusy] = useState(false)
  const upload = async (file: File | null) => {
    if (file === null) return
    setBusy(true)
    try {
      const {
        file: made,
        presignedUrl,
        formData,
      } = await parley.file.createOfBot.mutate({
        botId,
        fileName: file.name,
        fileType: file.type,
        fileSize: file.size,
      })
      const form = new FormData()
      for (const [name, value] of Object.entries(formData)) form.append(name, value)
      form.append("file", file)
      const answer = await fetch(presignedUrl, { method: "POST", body: form })
      if (!answer.ok) throw new Error(await answer.text())
      onFile(made.url)
    } catch (error) {
      reportProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <FileButton onChange={upload}>
      {(props) => (
        <ActionIcon {...props} size="sm" aria-label={t.upload} loading={isBusy}>
          <Icon name="upload" size={15} />
        </ActionIcon>
      )}
    </FileButton>
  )
}
