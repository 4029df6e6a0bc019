/** Asks for files, which the person drops or chooses; they are uploaded before the answer is sent. */
import type { TargetedDragEvent, TargetedMouseEvent, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { UploadIcon } from "../icons.tsx"
import type { InputOf } from "../payload.ts"
import type { Texts } from "../texts/texts.ts"
import { Attachments } from "./Attachments.tsx"
import { AskForm, type InputProps, leaveButton, SendButton } from "./parts.tsx"
import { type Uploads, useUploads } from "./useUploads.ts"

type FileInputOptions = NonNullable<InputOf<"file input">["options"]>

export function FileInput({ input }: InputProps<"file input">): VNode {
  const { answer, texts } = useChat()
  const options = input.options ?? {}
  const { labels, isRequired = true } = options
  const skipText = labels?.skip || texts.skip
  const uploads = useUploads(input.id)
  const { urls, names, isBusy, files } = uploads
  const send = () => {
    if (isBusy || urls.length === 0) return
    const shown = doneText(options, urls.length, texts)
    answer({ message: { type: "text", text: urls.join(", ") }, shown, urls, names })
  }
  const clear = (event: TargetedMouseEvent<HTMLElement>) => {
    leaveButton(event)
    for (const { key } of files) uploads.remove(key)
  }
  return (
    <AskForm onSubmit={send} class="files-asked">
      <DropZone options={options} uploads={uploads} />
      <Attachments uploads={uploads} />
      <div class="row">
        {files.length > 0 && (
          <button type="button" class="button plain" onClick={clear}>
            {labels?.clear || texts.clear}
          </button>
        )}
        {!isRequired && files.length === 0 && (
          <button type="button" class="button plain" onClick={() => answer({ shown: skipText })}>
            {skipText}
          </button>
        )}
        {files.length > 0 && (
          <SendButton
            label={labels?.button || texts.upload}
            disabled={isBusy || urls.length === 0}
          />
        )}
      </div>
    </AskForm>
  )
}

function doneText({ labels }: FileInputOptions, count: number, texts: Texts): string {
  const { single, multiple } = labels?.success ?? {}
  if (count === 1) return single || texts.fileUploaded
  return (multiple || texts.filesUploaded).replaceAll("{total}", String(count))
}

function DropZone({ options, uploads }: { options: FileInputOptions; uploads: Uploads }): VNode {
  const { texts } = useChat()
  const { labels, isMultipleAllowed, allowedFileTypes, capture } = options
  const [isOver, setOver] = useState(false)
  const pick = (files: FileList | null | undefined) => {
    const picked = [...(files ?? [])]
    if (!isMultipleAllowed) for (const { key } of uploads.files) uploads.remove(key)
    void uploads.add(isMultipleAllowed ? picked : picked.slice(0, 1))
  }
  const drop = (event: TargetedDragEvent<HTMLElement>) => {
    event.preventDefault()
    setOver(false)
    pick(event.dataTransfer?.files)
  }
  const hover = (event: TargetedDragEvent<HTMLElement>) => {
    event.preventDefault()
    setOver(true)
  }
  const types = allowedFileTypes?.isEnabled ? allowedFileTypes.types : undefined
  return (
    <label
      class={isOver ? "drop over" : "drop"}
      onDrop={drop}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
    >
      <UploadIcon />
      <span>{textOfHtml(labels?.placeholder) || texts.dropFiles}</span>
      <input
        type="file"
        multiple={isMultipleAllowed === true}
        accept={types?.map(typeOrExtension).join(",")}
        capture={capture}
        onChange={({ currentTarget }) => {
          pick(currentTarget.files)
          // So that the same file can be chosen again after it was removed.
          currentTarget.value = ""
        }}
      />
    </label>
  )
}

function typeOrExtension(type: string): string {
  return type.includes("/") || type.startsWith(".") ? type : `.${type}`
}

/** Authors write HTML here; only its words are shown. */
function textOfHtml(html: string | undefined): string {
  const words = (html ?? "")
    .replace(/<(?:br|\/p|\/div)[^>]*>/gi, "\n")
    .replace(/<[^>]*>?/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
  return words.trim()
}
