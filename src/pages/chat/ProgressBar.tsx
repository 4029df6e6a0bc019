/** Shows the progress of the chat. */
import type { VNode } from "preact"
import { useChat } from "./chatContext.ts"
import type { Theme } from "./payload.ts"

type Props = { progress: number | undefined; theme: Theme | undefined }

export function ProgressBar({ progress, theme }: Props): VNode | null {
  const { texts } = useChat()
  const { isEnabled, placement = "Top", position = "absolute" } = theme?.general?.progressBar ?? {}
  if (!isEnabled || progress === undefined) return null
  return (
    <div
      class={`progress ${placement.toLowerCase()} ${position}`}
      role="progressbar"
      aria-label={texts.progress}
      aria-valuenow={Math.round(progress)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div class="progress-done" style={{ width: `${progress}%` }} />
    </div>
  )
}
