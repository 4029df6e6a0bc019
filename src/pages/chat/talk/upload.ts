/** Uploads a file for the current input. */
import { Refusal } from "./connection.ts"
import type { Talk } from "./talk.ts"

/** The file is larger than the service accepts. */
export class TooLarge extends Error {
  readonly megabytes: number
  constructor(megabytes: number) {
    super(`More than ${megabytes} MB`)
    this.megabytes = megabytes
  }
}

type UploadJob = {
  blockId: string
  file: File
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

type UploadTarget = { presignedUrl: string; formData: Record<string, string>; fileUrl: string }

/** Returns the address of the file. Throws a `TooLarge`, or another error when the upload fails. */
export async function uploadFile(talk: Talk, job: UploadJob): Promise<string> {
  const { presignedUrl, formData, fileUrl } = await requestUpload(talk, job)
  // Perhaps the person has removed the file in the meantime.
  job.signal.throwIfAborted()
  const form = new FormData()
  for (const [name, value] of Object.entries(formData)) form.append(name, value)
  form.append("file", job.file)
  await send(presignedUrl, form, job)
  return fileUrl
}

async function requestUpload(talk: Talk, { blockId, file }: UploadJob): Promise<UploadTarget> {
  const { name: fileName, type: fileType, size: fileSize } = file
  const body = { sessionId: talk.sessionId, blockId, fileName, fileType, fileSize }
  try {
    return await talk.connection.post<UploadTarget>("/api/v1/generate-upload-url", body)
  } catch (error) {
    const [, megabytes] =
      (error instanceof Refusal && /at most ([\d.]+) MB/.exec(error.message)) || []
    throw megabytes === undefined ? error : new TooLarge(Number(megabytes))
  }
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
