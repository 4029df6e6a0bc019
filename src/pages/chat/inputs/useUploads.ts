/** Keeps track of the files of an input while they are uploaded. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import { Refusal } from "../talk/connection.ts"
import { expire } from "../talk/talk.ts"
import { useDraft } from "./parts.tsx"

/** A file that the person picked. `share` is how much of it has been uploaded, from 0 to 1. */
export type PickedFile = {
  key: number
  name: string
  share: number
  url?: string
  problem?: string | undefined
  /** The file, where another attempt may succeed. */
  failed?: File | undefined
}

export type Uploads = ReturnType<typeof useUploads>

let lastKey = 0

/** Uploads files for the input with this id; `name` distinguishes several lists of one input. */
export function useUploads(blockId: string, name = "files") {
  const { talk, bot, texts, locale } = useChat()
  const [draft, setDraft] = useDraft<readonly PickedFile[]>({ id: blockId }, name, [])
  const [files, setFiles] = useState<readonly PickedFile[]>(() =>
    draft.map((each) => ({ ...each, key: ++lastKey })),
  )
  useEffect(() => {
    if (files.length > 0 || draft.length > 0) setDraft(files.filter(({ url }) => url !== undefined))
  }, [files])
  const stops = useRef(new Map<number, AbortController>())
  // Uploads that are no longer awaited must not arrive.
  useEffect(
    () => () => {
      for (const stop of stops.current.values()) stop.abort()
    },
    [],
  )
  const change = (key: number, part: Partial<PickedFile>) =>
    setFiles((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)))

  async function upload(key: number, file: File): Promise<string | undefined> {
    const stop = new AbortController()
    stops.current.set(key, stop)
    try {
      const onProgress = (share: number) => change(key, { share })
      const { uploadFile } = await loadOnDemand(talk.connection.host)
      const url = await uploadFile(talk, { blockId, file, onProgress, signal: stop.signal })
      change(key, { url, share: 1 })
      return url
    } catch (error) {
      // The chat is gone: no other attempt would help.
      if (error instanceof Refusal && error.status === 404) expire(talk)
      const canRetry = exceededLimit(error) === undefined
      change(key, { problem: problemOf(error, file), ...(canRetry && { failed: file }) })
      return undefined
    }
  }

  function problemOf(error: unknown, file: File): string {
    const { fileUploadError, fileUploadSizeError } = bot.settings.general?.systemMessages ?? {}
    const megabytes = exceededLimit(error)
    if (megabytes === undefined) return fileUploadError || texts.uploadFailed
    return (fileUploadSizeError || texts.uploadTooLarge)
      .replace("[[file]]", () => file.name)
      .replace("[[limit]]", () => new Intl.NumberFormat(locale).format(megabytes))
  }

  const uploaded = files.flatMap(({ url, name }) => (url === undefined ? [] : [{ url, name }]))
  return {
    files,
    /** Addresses of the uploaded files. */
    urls: uploaded.map(({ url }) => url),
    /** Names of the uploaded files, in the same order. */
    names: uploaded.map(({ name }) => name),
    isBusy: files.some(({ url, problem }) => url === undefined && problem === undefined),
    /** Uploads files. Resolves to the addresses of those that succeeded. */
    add: async (picked: readonly File[]) => {
      const added = picked.map((file) => ({ key: ++lastKey, file }))
      const shown = added.map(({ key, file: { name } }) => ({ key, name, share: 0 }))
      setFiles((all) => [...all, ...shown])
      const urls = await Promise.all(added.map(({ key, file }) => upload(key, file)))
      return urls.filter((url) => url !== undefined)
    },
    /** Uploads a file again that has failed. */
    retry: ({ key, failed }: PickedFile) => {
      if (!failed) return
      change(key, { problem: undefined, failed: undefined, share: 0 })
      void upload(key, failed)
    },
    remove: (key: number) => {
      stops.current.get(key)?.abort()
      setFiles((all) => all.filter((each) => each.key !== key))
    },
  }
}

/** How many megabytes the service takes at most, where an upload failed for that. */
function exceededLimit(error: unknown): number | undefined {
  const [, megabytes] =
    (error instanceof Refusal && /at most ([\d.]+) MB/.exec(error.message)) || []
  return megabytes === undefined ? undefined : Number(megabytes)
}
