/** Asks for a voice clip, and uploads it. */
import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import { Attachments } from "./Attachments.tsx"
import { AskForm, SendButton } from "./parts.tsx"
import type { Recording } from "./startRecording.ts"
import { useUploads } from "./useUploads.ts"

/** Whether this browser can record on this page. */
export function canRecord(): boolean {
  return "mediaDevices" in navigator && "MediaRecorder" in window
}

type Props = { blockId: string; onClip(url: string): void; onCancel(): void }

export function Recorder({ blockId, onClip, onCancel }: Props): VNode {
  const { talk, texts } = useChat()
  const uploads = useUploads(blockId, "clip")
  const recording = useRef<Recording>(undefined)
  const [isOn, setOn] = useState(false)
  const seconds = useSeconds(isOn)
  useEffect(() => {
    let isGone = false
    const record = async () => {
      const { startRecording } = await loadOnDemand(talk.connection.host)
      return await startRecording()
    }
    record().then(
      (started) => {
        if (isGone) return started.stop()
        recording.current = started
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
      recording.current?.stop()
      recording.current = undefined
    }
  }, [])
  const send = async () => {
    const clip = await recording.current?.finish()
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
