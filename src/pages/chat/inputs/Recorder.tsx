/** Records a voice clip and uploads it. */
import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { Attachments } from "./Attachments.tsx"
import { AskForm, SendButton } from "./parts.tsx"
import { useUploads } from "./useUploads.ts"

/** Whether this browser can record on this page. */
export function canRecord(): boolean {
  return "mediaDevices" in navigator && "MediaRecorder" in window
}

type Props = { blockId: string; onClip(url: string): void; onCancel(): void }

type Recording = { recorder: MediaRecorder; parts: Blob[] }

export function Recorder({ blockId, onClip, onCancel }: Props): VNode {
  const { talk, texts } = useChat()
  const uploads = useUploads(blockId, "clip")
  const recording = useRef<Recording>(undefined)
  const [isOn, setOn] = useState(false)
  const seconds = useSeconds(isOn)
  useEffect(() => {
    let isGone = false
    open().then(
      (opened) => {
        if (isGone) return stop(opened)
        recording.current = opened
        setOn(true)
      },
      // The person, or the page around the chat, does not allow it.
      () => {
        talk.store.change({ notice: "noMicrophone" })
        onCancel()
      },
    )
    return () => {
      isGone = true
      if (recording.current) stop(recording.current)
      recording.current = undefined
    }
  }, [])
  const send = async () => {
    const clip = recording.current && (await finish(recording.current))
    // Meanwhile it may have been cancelled.
    const [url] = clip && recording.current ? await uploads.add([clip]) : []
    if (url !== undefined) onClip(url)
  }
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
  return (
    <AskForm onSubmit={() => void send()} class="typed">
      <Attachments uploads={uploads} />
      <div class="row">
        <span class="field recording" role="timer">
          {isOn ? `${texts.recording} ${time}` : texts.loading}
        </span>
        <button type="button" class="button plain" onClick={onCancel}>
          {texts.cancel}
        </button>
        <SendButton disabled={!isOn || uploads.isBusy} />
      </div>
    </AskForm>
  )
}

/** Counts the seconds while `isOn` is true. */
function useSeconds(isOn: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!isOn) return
    const clock = setInterval(() => setSeconds((passed) => passed + 1), 1_000)
    return () => clearInterval(clock)
  }, [isOn])
  return seconds
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
      // Without the codec, which the service does not know.
      const type = recorder.mimeType.split(";")[0] || "audio/webm"
      // `.mp4` would make it a video.
      const ending = type === "audio/mp4" ? "m4a" : type.split("/")[1]
      resolve(new File(parts, `clip.${ending}`, { type }))
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
