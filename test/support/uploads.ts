/** A service that takes files, chats that wait for one, and what clients do to send it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask, bot, group, say } from "./bots.ts"
import { testDatabaseUrl } from "./database.ts"
import { chatOver, publishBot } from "./publish.ts"
import { testServer } from "./server.ts"
import { whenOver } from "./whenOver.ts"

/** Where it keeps them. */
export const folder = await mkdtemp(join(tmpdir(), "parley-uploads-"))
whenOver(() => rm(folder, { recursive: true }))
/** As in a network of containers: a name without a top-level domain. */
export const publicUrl = "http://parley:3000"
export const databaseUrl = await testDatabaseUrl()
export const server = await testServer({
  DATABASE_URL: databaseUrl,
  PARLEY_DATA: folder,
  PARLEY_PUBLIC_URL: publicUrl,
  PARLEY_UPLOAD_MAX_MB: "1",
  PARLEY_DEFAULT_PLAN: "PRO",
  PARLEY_ALLOWED_ORIGINS: "https://builder.example.com",
})

/** Asks for a file, and then for a text. */
export const fileFlow = (options: object = {}) =>
  bot(
    group(
      "A",
      ask.file({ id: "files", saves: "File", ...options }),
      say("Got {{File}}"),
      ask.text({ id: "text" }),
    ),
  )

/** Where this machine reaches an address of the service. */
export const here = (url: string) => url.replace(publicUrl, server.address)

export const prepare = (body: object, version = "v3") =>
  server.send("POST", `/api/${version}/generate-upload-url`, { token: null, body })

/** What a client needs to send a file. */
export type Prepared = {
  presignedUrl: string
  formData: Record<string, string>
  fileType: string
  maxFileSize: number
  fileUrl: string
}

function formOf({ formData }: Prepared, content: Uint8Array | string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(formData)) form.append(name, value)
  form.append("file", new Blob([content]), "whatever.exe")
  return form
}

export const upload = (prepared: Prepared, content: Uint8Array | string, init: RequestInit = {}) =>
  fetch(here(prepared.presignedUrl), { method: "POST", body: formOf(prepared, content), ...init })

/** A chat that waits for a file, and what its client asks to send one. */
export async function waiting(options: object = {}) {
  const { publicId, botId } = await publishBot(server, fileFlow(options))
  const chat = await chatOver(server, publicId)
  const asked = {
    sessionId: chat.step.sessionId,
    blockId: "files",
    fileName: "cat.png",
    fileType: "image/png",
  }
  return { ...chat, botId, asked }
}
