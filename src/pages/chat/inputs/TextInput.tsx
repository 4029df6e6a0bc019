/** Asks for a text of one or more lines; files and voice clips may come with it. */
import type { TargetedInputEvent, TargetedKeyboardEvent, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { MicrophoneIcon } from "../icons.tsx"
import { texts } from "../texts.ts"
import { AttachButton, Attachments } from "./Attachments.tsx"
import { AskForm, type InputProps, SendButton, useFirstFocus, usePrefilled } from "./parts.tsx"
import { canRecord, Recorder } from "./Recorder.tsx"
import { useUploads } from "./useUploads.ts"

export function TextInput({ input }: InputProps<"text input">): VNode {
  const { answer } = useChat()
  const { labels, isLong, inputMode, attachments, audioClip } = input.options ?? {}
  const [text, setText] = useState(usePrefilled(input))
  const [isRecording, setRecording] = useState(false)
  const first = useFirstFocus<HTMLInputElement & HTMLTextAreaElement>()
  const uploads = useUploads(input.id)
  const hint = labels?.placeholder ?? "Type your answer..."
  const send = () => {
    if (uploads.isBusy) return
    const urls = uploads.urls
    if (text.trim() === "" && urls.length === 0) return first.current?.focus()
    const files = urls.length > 0 ? { attachedFileUrls: urls } : {}
    answer({ message: { type: "text", text: text.trim(), ...files }, shown: text.trim(), urls })
  }
  const field = {
    class: "field",
    value: text,
    placeholder: hint,
    "aria-label": hint || texts.yourAnswer,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setText(currentTarget.value),
  }
  const sendClip = (url: string) => answer({ message: { type: "audio", url }, urls: [url] })
  if (isRecording) {
    return <Recorder blockId={input.id} onClip={sendClip} onCancel={() => setRecording(false)} />
  }
  const hasClips = audioClip?.isEnabled === true && canRecord() && text === ""
  return (
    <AskForm onSubmit={send} class={isLong ? "typed long" : "typed"}>
      <Attachments uploads={uploads} />
      <div class="row">
        {isLong && <textarea ref={first} {...field} rows={3} onKeyDown={sendByKeys(send)} />}
        {attachments?.isEnabled && <AttachButton uploads={uploads} />}
        {!isLong && (
          <input ref={first} {...field} type="text" inputMode={inputMode} autoComplete="off" />
        )}
        {hasClips && (
          <button
            type="button"
            class="button plain icon"
            aria-label={texts.record}
            title={texts.record}
            onClick={() => setRecording(true)}
          >
            <MicrophoneIcon />
          </button>
        )}
        <SendButton label={labels?.button} disabled={uploads.isBusy} />
      </div>
    </AskForm>
  )
}

/** In several lines Enter begins a new one, and sends together with Ctrl or Command. */
function sendByKeys(send: () => void) {
  return (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
}
