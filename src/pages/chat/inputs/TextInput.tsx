/** Asks for a text of one or more lines, perhaps with files or a voice clip instead. */
import type { TargetedKeyboardEvent, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { MicrophoneIcon } from "../icons.tsx"
import { AttachButton, Attachments } from "./Attachments.tsx"
import { AskForm, IconButton, type InputProps, SendButton, useTyped } from "./parts.tsx"
import { canRecord, Recorder } from "./Recorder.tsx"
import { useUploads } from "./useUploads.ts"

export function TextInput({ input }: InputProps<"text input">): VNode {
  const { answer, texts } = useChat()
  const { labels, isLong, inputMode, attachments, audioClip } = input.options ?? {}
  const { typed, field } = useTyped(input, texts.typeAnswer)
  const [isRecording, setRecording] = useState(false)
  const uploads = useUploads(input.id)
  const { urls, names, isBusy } = uploads
  const isEmpty = typed === "" && urls.length === 0
  const send = () => {
    if (isBusy) return
    const files = urls.length > 0 ? { attachedFileUrls: urls } : {}
    const message = { type: "text", text: typed, ...files } as const
    answer({ message, shown: typed, urls, names })
  }
  const sendClip = (url: string) => answer({ message: { type: "audio", url }, urls: [url] })
  if (isRecording) {
    return <Recorder blockId={input.id} onClip={sendClip} onCancel={() => setRecording(false)} />
  }
  const hasClips = audioClip?.isEnabled === true && canRecord() && field.value === ""
  return (
    <AskForm onSubmit={send} isEmpty={isEmpty} class={isLong ? "typed long" : "typed"}>
      <Attachments uploads={uploads} />
      <div class="row">
        {isLong && <textarea {...field} class="field" rows={3} onKeyDown={sendByKeys} />}
        {attachments?.isEnabled && <AttachButton uploads={uploads} />}
        {!isLong && (
          <input {...field} class="field" type="text" inputMode={inputMode} autoComplete="off" />
        )}
        {hasClips && (
          <IconButton label={texts.record} onClick={() => setRecording(true)}>
            <MicrophoneIcon />
          </IconButton>
        )}
        <SendButton label={labels?.button} disabled={isBusy} />
      </div>
    </AskForm>
  )
}

/** Enter begins a new line in a long text; together with Ctrl or Command it sends. */
function sendByKeys(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
