/** Renders inputs that need the on-demand script, once it is loaded. */
import type { FunctionComponent, VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { loadedOnDemand, loadOnDemand } from "../loadOnDemand.ts"
import type { InputType } from "../payload.ts"
import { firstField, type InputProps } from "./parts.tsx"

type Tools = Awaited<ReturnType<typeof loadOnDemand>>

/** The tools for such an input; absent: unavailable, so the input works without them. */
export type ToolProps<T extends InputType> = InputProps<T> & { tools: Tools | undefined }

export function withTools<T extends InputType>(
  Form: FunctionComponent<ToolProps<T>>,
): FunctionComponent<InputProps<T>> {
  return function Input({ input }: InputProps<T>): VNode {
    const { talk, texts, takesFocus } = useChat()
    const { host } = talk.connection
    const place = useRef<HTMLSpanElement>(null)
    const [tools, setTools] = useState<Tools | undefined | "waiting">(
      () => loadedOnDemand(host) ?? "waiting",
    )
    const isWaiting = tools === "waiting"
    const wasWaiting = useRef(isWaiting).current
    useEffect(() => {
      if (isWaiting) loadOnDemand(host).then(setTools, () => setTools(undefined))
    }, [])
    useEffect(() => {
      const box = place.current?.parentElement
      if (wasWaiting && !isWaiting && box && takesFocus()) {
        firstField(box)?.focus({ preventScroll: true })
      }
    }, [isWaiting])
    if (isWaiting) return <p class="ask">{texts.loading}</p>
    return (
      <>
        <Form input={input} tools={tools} />
        <span ref={place} hidden />
      </>
    )
  }
}
