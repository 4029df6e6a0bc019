/** Records a voice clip and uploads it. */
import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { texts } from "../texts.ts"
import { Attachments } from "./Attachments.tsx"
import { AskForm, SendButton } from "./parts.tsx"
import { useUploads } from "./useUploads.ts"

/** Whether this browser, on this page, can record at all. */
export function canRecord(): boolean {
  return "mediaDevices" in navigator && "MediaRecorder" in window
}

type Props = { blockId: string; onClip(url: string): void; onCancel(): void }

type Recording = { recorder: MediaRecorder; parts: Blob[] }

export function Recorder({ blockId, onClip, onCancel }: Props): VNode {
  const uploads = useUploads(blockId)
  const recording = useRef<Recording>(undefined)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    let isGone = false
    const clock = setInterval(() => setSeconds((passed) => passed + 1), 1_000)
    open().then(
      (opened) => {
        recording.current = opened
        if (isGone) stop(opened)
      },
      // The person, or the page around, does not allow it.
      onCancel,
    )
    return () => {
      isGone = true
      clearInterval(clock)
      if (recording.current) stop(recording.current)
    }
  }, [])
  const send = async () => {
    const clip = recording.current && (await finish(recording.current))
    const [url] = clip ? await uploads.add([clip]) : []
    if (url !== undefined) onClip(url)
  }
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
  return (
    <AskForm onSubmit={() => void send()} class="typed">
      <Attachments uploads={uploads} />
      <div class="row">
        <span class="field recording" role="timer">
          {texts.recording} {time}
        </span>
        <button type="button" class="button plain" onClick={onCancel}>
          {texts.cancel}
        </button>
        <SendButton disabled={uploads.isBusy} />
      </div>
    </AskForm>
  )
}

async function open(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.start()
  return { recorder, parts }
}

function finish(recording: Recording): Promise<File> {
  const { recorder, parts } = recording
  return new Promise((resolve) => {
    const close = () => {
      // Without the codec, of which the service knows nothing.
      const type = recorder.mimeType.split(";")[0] || "audio/webm"
      resolve(new File(parts, `clip.${type.split("/")[1]}`, { type }))
    }
    if (recorder.state === "inactive") return close()
    recorder.onstop = close
    stop(recording)
  })
}

function stop({ recorder }: Recording): void {
  if (recorder.state !== "inactive") recorder.stop()
  for (const track of recorder.stream.getTracks()) track.stop()
}
