/** Files that go with a text: the button that adds them, and how far each one is. */
import type { VNode } from "preact"
import { useRef } from "preact/hooks"
import { ClipIcon, CloseIcon } from "../icons.tsx"
import { texts } from "../texts.ts"
import type { PickedFile, Uploads } from "./useUploads.ts"

export function AttachButton({ uploads }: { uploads: Uploads }): VNode {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        class="button plain icon"
        aria-label={texts.attach}
        title={texts.attach}
        onClick={() => picker.current?.click()}
      >
        <ClipIcon />
      </button>
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

/** The files, with their progress. */
export function Attachments({ uploads }: { uploads: Uploads }): VNode | null {
  if (uploads.files.length === 0) return null
  return (
    <ul class="files">
      {uploads.files.map((picked) => (
        <FileLine key={picked.key} picked={picked} onRemove={() => uploads.remove(picked.key)} />
      ))}
    </ul>
  )
}

function FileLine({ picked, onRemove }: { picked: PickedFile; onRemove(): void }): VNode {
  const { file, share, url, problem } = picked
  return (
    <li class={problem ? "file failed" : "file"}>
      <span class="file-name">{file.name}</span>
      <button
        type="button"
        class="button plain icon"
        aria-label={`${texts.remove} ${file.name}`}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
      {problem ? (
        <span class="problem" role="alert">
          {problem}
        </span>
      ) : (
        <progress
          class={url ? "done" : ""}
          value={share}
          max={1}
          aria-label={`${texts.uploading} ${file.name}`}
        />
      )}
    </li>
  )
}
