/** The editor of a bot: the canvas, and beside it what is selected and the chat to try. */
import { Loader } from "@mantine/core"
import { createLazyRoute } from "@tanstack/react-router"
import { Suspense } from "react"
import { lazily } from "../shell/lazily.ts"
import { Problem } from "../shell/Problem.tsx"
import { Canvas } from "./canvas/Canvas.tsx"
import classes from "./EditorPage.module.css"
import { EditingContext, useOpenedDraft, useSelected } from "./editing.ts"
import { SidePanel } from "./panels/SidePanel.tsx"
import { TryOut } from "./tryOut/TryOut.tsx"

const Conflicts = lazily(() => import("./conflicts/Conflicts.tsx").then((it) => it.Conflicts))

export const Route = createLazyRoute("/bots/$botId/")({ component: EditorPage })

function EditorPage() {
  const { editing, error } = useOpenedDraft()
  const { try: isTrying } = useSelected()
  if (editing === undefined) return error ? <Problem error={error} /> : <Loader m="xl" />
  return (
    <EditingContext value={editing}>
      <div className={classes.editor}>
        <Canvas />
        {editing.conflicts.length > 0 && (
          <Suspense>
            <Conflicts />
          </Suspense>
        )}
        <SidePanel />
        {isTrying && <TryOut />}
      </div>
    </EditingContext>
  )
}
