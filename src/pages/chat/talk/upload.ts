/** Uploads a file for the current input. */
import type { Talk } from "./talk.ts"

type UploadJob = {
  blockId: string
  file: File
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

type UploadTarget = { presignedUrl: string; formData: Record<string, string>; fileUrl: string }

/** Returns the address of the file. Throws when the upload fails. */
export async function uploadFile(talk: Talk, job: UploadJob): Promise<string> {
  const { blockId, file } = job
  const { name: fileName, type: fileType, size: fileSize } = file
  const { presignedUrl, formData, fileUrl } = await talk.connection.post<UploadTarget>(
    "/api/v1/generate-upload-url",
    { sessionId: talk.sessionId, blockId, fileName, fileType, fileSize },
  )
  // Perhaps the person has removed the file in the meantime.
  job.signal.throwIfAborted()
  const form = new FormData()
  for (const [name, value] of Object.entries(formData)) form.append(name, value)
  form.append("file", file)
  await send(presignedUrl, form, job)
  return fileUrl
}

/** Uses XMLHttpRequest, because fetch does not report the progress of an upload. */
function send(url: string, form: FormData, { onProgress, signal }: UploadJob): Promise<void> {
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  signal.addEventListener("abort", stop, { once: true })
  const done = new Promise<void>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () =>
      request.status < 400 ? resolve() : reject(new Error(`Refused with ${request.status}`))
    request.onerror = () => reject(new Error("The connection broke"))
    request.onabort = () => reject(new Error("Given up"))
  })
  request.open("POST", url)
  request.send(form)
  return done.finally(() => signal.removeEventListener("abort", stop))
}
