/** Makes a question ready to be asked: its key, the address of its API, its pictures. */
import { type Failure, isFailure, type ModelAsk, type ModelPart } from "../../engine/calls.ts"
import type { Credentials, OpenCredential } from "../credentials/credentials.ts"
import type { ReadFile } from "../files/readFile.ts"
import type { CallContext } from "../perform.ts"
import type { PreparedAsk, PreparedMessage, PreparedPart } from "./protocol.ts"

/** What is needed to make a question ready. */
export type PrepareParts = { credentials: Credentials; readFile: ReadFile }

/** A question and the credential whose secrets must not be told. */
export type Prepared = { ask: PreparedAsk; credential: OpenCredential }

/** The limit that most providers set to one picture. */
const maxPictureBytes = 5_000_000

/** Kinds of pictures that every provider takes. */
const pictureTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

/** The question as it can be asked, or why it cannot. */
export async function prepareAsk(
  parts: PrepareParts,
  ask: ModelAsk,
  context: CallContext,
): Promise<Prepared | Failure> {
  const credential = await parts.credentials.find(ask.credential, context)
  if (isFailure(credential)) return credential
  const { apiKey } = credential.data
  if (typeof apiKey !== "string" || apiKey === "") {
    return { failed: true, description: "The account has no API key", reason: "credentials" }
  }
  const baseUrl = baseUrlOf(ask, credential)
  if (!URL.canParse(baseUrl)) {
    return { failed: true, description: "The address of the model's provider is none" }
  }
  const refusal = credential.refusalFor(baseUrl)
  if (refusal) return refusal
  const messages: PreparedMessage[] = []
  for (const message of ask.messages) {
    const { content } = message
    const spoken = typeof content === "string" ? content : await look(parts, content, context)
    messages.push({ ...message, content: spoken })
  }
  return { ask: { ...ask, apiKey, baseUrl, messages }, credential }
}

/** The credential's own address goes first; of that of Dify only scheme and host count. */
function baseUrlOf({ protocol, baseUrl }: ModelAsk, { data }: OpenCredential): string {
  const isDify = protocol === "difyChat"
  const own = isDify ? data.apiEndpoint : data.baseUrl
  const url = (typeof own === "string" && own !== "" ? own : baseUrl).replace(/\/+$/, "")
  return isDify && URL.canParse(url) ? new URL(url).origin : url
}

/** Addresses of pictures become pictures; other addresses stay text, joined to their neighbours. */
async function look(
  { readFile }: PrepareParts,
  content: readonly ModelPart[],
  context: CallContext,
): Promise<PreparedPart[]> {
  const parts: PreparedPart[] = []
  for (const part of content) {
    const seen = "text" in part ? part : await lookAt(readFile, part.url, context)
    const last = parts.at(-1)
    if ("text" in seen && last && "text" in last) last.text += `\n\n${seen.text}`
    else parts.push({ ...seen })
  }
  return parts
}

async function lookAt(
  readFile: ReadFile,
  url: string,
  context: CallContext,
): Promise<PreparedPart> {
  const file = await readFile(url, context, { maxBytes: maxPictureBytes })
  if (isFailure(file)) return { text: url }
  const mediaType = file.contentType.split(";")[0]?.trim().toLowerCase() ?? ""
  if (!pictureTypes.has(mediaType)) return { text: url }
  // By its bytes: the provider may not reach what we reach, such as a file uploaded in this chat.
  return { picture: { mediaType, base64: Buffer.from(file.bytes).toString("base64") } }
}
