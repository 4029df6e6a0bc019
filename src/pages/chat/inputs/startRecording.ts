/** Records with the microphone. */

export type Recording = Awaited<ReturnType<typeof startRecording>>

/** Begins to record. Throws where the person, or the page around the chat, does not allow it. */
export async function startRecording() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.start()
  const stop = () => {
    if (recorder.state !== "inactive") recorder.stop()
    for (const track of stream.getTracks()) track.stop()
  }
  return { stop, finish: () => finish(recorder, parts, stop) }
}

function finish(recorder: MediaRecorder, parts: Blob[], stop: () => void): Promise<File> {
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
    stop()
  })
}
