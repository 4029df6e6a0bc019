/** Files to be sent with an answer: the button that adds them, and their progress. */
import type { VNode } from "preact"
import { useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { CheckIcon, ClipIcon, CloseIcon } from "../icons.tsx"
import { isPicture } from "../richText/address.ts"
import { IconButton, leaveButton } from "./parts.tsx"
import type { PickedFile, Uploads } from "./useUploads.ts"

export function AttachButton({ uploads }: { uploads: Uploads }): VNode {
  const { texts } = useChat()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={texts.attach} onClick={() => picker.current?.click()}>
        <ClipIcon />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={texts.attach}
        onChange={({ currentTarget }) => {
          void uploads.add([...(currentTarget.files ?? [])])
          currentTarget.value = ""
        }}
      />
    </>
  )
}

export function Attachments({ uploads }: { uploads: Uploads }): VNode | null {
  if (uploads.files.length === 0) return null
  return (
    <ul class="files" aria-live="polite">
      {uploads.files.map((picked) => (
        <FileLine key={picked.key} picked={picked} uploads={uploads} />
      ))}
    </ul>
  )
}

function FileLine({ picked, uploads }: { picked: PickedFile; uploads: Uploads }): VNode {
  const { name, share, url, problem, failed } = picked
  const { texts } = useChat()
  return (
    <li class={problem ? "file failed" : "file"}>
      {url && (
        <span class="file-done">
          {isPicture(url) && <img src={url} alt="" />}
          <CheckIcon />
          <span class="for-readers">{texts.uploaded}</span>
        </span>
      )}
      <span class="file-name">{name}</span>
      <button
        type="button"
        class="button plain icon"
        aria-label={texts.remove.replace("{file}", () => name)}
        onClick={(event) => {
          leaveButton(event)
          uploads.remove(picked.key)
        }}
      >
        <CloseIcon />
      </button>
      {problem && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
      {failed && (
        <button
          type="button"
          class="button plain"
          onClick={(event) => {
            leaveButton(event)
            uploads.retry(picked)
          }}
        >
          {texts.tryAgain}
        </button>
      )}
      {!problem && !url && (
        <progress
          value={share}
          max={1}
          aria-label={texts.uploading.replace("{file}", () => name)}
        />
      )}
    </li>
  )
}
