/** Makes a bot: from nothing, from a starter, or from a file. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, queryClient } from "../../shell/api.ts"
import { EmptyBot } from "./EmptyBot.tsx"
import { FileImport } from "./FileImport.tsx"
import { Gallery } from "./Gallery.tsx"
import { StarterStep } from "./StarterStep.tsx"
import type { Template } from "./wayProps.ts"

type Props = {
  start?: "empty" | "file"
  file?: File
  workspaceId: string
  folderId?: string | undefined
  close: () => void
}

/** The second step: how the bot is made. */
type Way =
  | { type: "empty" }
  | { type: "starter"; template: Template }
  | { type: "file"; file?: File | undefined }

export function NewBot({ start, file, workspaceId, folderId, close }: Props) {
  const [way, setWay] = useState<Way | undefined>(() =>
    file || start === "file" ? { type: "file", file } : start && { type: start },
  )
  const navigate = useNavigate()
  const onMade = ({ id }: { id: string }) => {
    void queryClient.invalidateQueries(api.bot.list.pathFilter())
    close()
    void navigate({ to: "/bots/$botId", params: { botId: id } })
  }
  const shared = { workspaceId, folderId, onMade, back: () => setWay(undefined) }
  switch (way?.type) {
    case "empty":
      return <EmptyBot {...shared} />
    case "starter":
      return <StarterStep {...shared} template={way.template} />
    case "file":
      return <FileImport {...shared} initial={way.file} />
    case undefined:
      return (
        <Gallery
          onEmpty={() => setWay({ type: "empty" })}
          onFile={(chosen) => setWay({ type: "file", file: chosen })}
          onTemplate={(template) => setWay({ type: "starter", template })}
        />
      )
  }
}
