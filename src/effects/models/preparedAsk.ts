/** Prepares a question: fills in the key, the address of the API, and pictures. */
import { type Failure, isFailure, type ModelAsk, type ModelPart } from "../../engine/calls.ts"
import type { Credentials, OpenCredential } from "../credentials/credentials.ts"
import { failed } from "../failures.ts"
import type { ReadFile } from "../files/readFile.ts"
import type { CallContext } from "../perform.ts"
import type { PreparedAsk, PreparedMessage, PreparedPart } from "./dialogue.ts"

export type PrepareDeps = { credentials: Credentials; readFile: ReadFile }

/** A prepared question, and the credential whose secrets must be redacted. */
type Prepared = { ask: PreparedAsk; credential: OpenCredential }

/** The limit of most providers for one picture. */
const maxPictureBytes = 5_000_000

/** Anthropic's is 5 MiB, too, but counts base64. */
const maxAnthropicPictureBytes = 3_900_000

/** Of one question, together; an address that leads to no picture counts, too. */
const maxPictures = 50
const maxPicturesBytes = 20_000_000

/** Types of pictures that all providers accept. */
const pictureTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

/** Prepares a question, or returns the failure. */
export async function prepareAsk(
  deps: PrepareDeps,
  ask: ModelAsk,
  context: CallContext,
): Promise<Prepared | Failure> {
  const credential = await deps.credentials.find(ask.credential, context)
  if (isFailure(credential)) return credential
  const { apiKey } = credential.data
  if (typeof apiKey !== "string" || apiKey === "") {
    return failed("The account has no API key", { reason: "credentials" })
  }
  const baseUrl = baseUrlOf(ask, credential)
  if (!URL.canParse(baseUrl)) return failed("The address of the model's provider is not valid")
  const refusal = credential.refusalFor(baseUrl)
  if (refusal) return refusal
  const load = createPictureReader(deps.readFile, ask, context)
  const messages: PreparedMessage[] = []
  // From the last on: of too many pictures, the latest are shown.
  for (const message of ask.messages.toReversed()) {
    const { content } = message
    const prepared = typeof content === "string" ? content : await withPictures(content, load)
    messages.unshift({ ...message, content: prepared })
  }
  const { tools: _, mcpServers: __, ...asked } = ask
  return { ask: { ...asked, apiKey, baseUrl, messages }, credential }
}

/** The address of the API; the credential's takes precedence. Of Dify's, only scheme, host and port count. */
function baseUrlOf({ protocol, baseUrl }: ModelAsk, { data }: OpenCredential): string {
  const isDify = protocol === "difyChat"
  const own = isDify ? data.apiEndpoint : data.baseUrl
  const url = (typeof own === "string" && own !== "" ? own : baseUrl).replace(/\/+$/, "")
  return isDify && URL.canParse(url) ? new URL(url).origin : url
}

/** Replaces addresses of pictures by pictures; others become text, merged with adjacent text. */
async function withPictures(
  content: readonly ModelPart[],
  load: (url: string) => Promise<PreparedPart>,
): Promise<PreparedPart[]> {
  const parts: PreparedPart[] = []
  for (const part of content) {
    const prepared = "text" in part ? part : await load(part.url)
    const last = parts.at(-1)
    if ("text" in prepared && last && "text" in last) last.text += `\n\n${prepared.text}`
    else parts.push({ ...prepared })
  }
  return parts
}

/** Loads the pictures of one question: any visitor may send addresses, and all are in memory at a time. */
function createPictureReader(readFile: ReadFile, { protocol }: ModelAsk, context: CallContext) {
  const most = protocol === "anthropicMessages" ? maxAnthropicPictureBytes : maxPictureBytes
  let left = maxPictures
  let leftBytes = maxPicturesBytes
  return async (url: string): Promise<PreparedPart> => {
    if (left === 0) return { text: url }
    left -= 1
    const file = await readFile(url, context, { maxBytes: Math.min(most, leftBytes) })
    if (isFailure(file)) return { text: url }
    const mediaType = file.contentType.split(";")[0]?.trim().toLowerCase() ?? ""
    if (!pictureTypes.has(mediaType)) return { text: url }
    leftBytes -= file.bytes.length
    // Sent inline, because the provider may be unable to fetch it, such as a file uploaded in this chat.
    return { picture: { mediaType, base64: Buffer.from(file.bytes).toString("base64") } }
  }
}
