/** Answers calls of the kind `http`: requests of flows, with the secrets of their accounts. */
import type { Response } from "undici"
import {
  type Call,
  type Credential,
  type Failure,
  type HttpAnswer,
  type HttpAsk,
  isFailure,
} from "../../engine/calls.ts"
import {
  type Credentials,
  type OpenCredential,
  openCredential,
} from "../credentials/credentials.ts"
import { MissingSecretError } from "../credentials/template.ts"
import type { FileStore } from "../files/fileStore.ts"
import type { ReadFile } from "../files/readFile.ts"
import { readyRequest } from "../httpRequest.ts"
import type { CallContext, Performer } from "../perform.ts"
import { networkFailure } from "./networkFailure.ts"
import { type Outbound, TooLargeError } from "./outbound.ts"

/** What requests are made with. */
export type HttpParts = {
  outbound: Pick<Outbound, "fetch">
  credentials: Credentials
  readFile: ReadFile
  files: Pick<FileStore, "save">
  /** Whether previews by callers we do not know may make requests. */
  allowsRestricted: boolean
}

const maxTextBytes = 5_000_000
const maxFileBytes = 25_000_000

/** Methods that mean something else than a request and its response (Fetch standard). */
const refusedMethods = new Set(["CONNECT", "TRACE", "TRACK"])

/** Opens the way to other servers. */
export function openHttp(parts: HttpParts): Performer<"http"> {
  return {
    isOutside: () => true,
    async perform(call, context) {
      if (context.isRestricted && !parts.allowsRestricted) {
        return fail("Requests cannot be made in an anonymous preview", "blocked")
      }
      if (refusedMethods.has(call.request.method)) {
        return fail(`Requests cannot be made with the method ${call.request.method}`)
      }
      const credential = await find(parts, call.credential, context)
      if (isFailure(credential)) return credential
      try {
        return await send(parts, call, { context, credential })
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

type Caller = { context: CallContext; credential: OpenCredential }

async function send(
  parts: HttpParts,
  call: Call<"http">,
  { context, credential }: Caller,
): Promise<HttpAnswer | Failure> {
  const proxyUrl = await proxyOf(parts, call, context)
  if (typeof proxyUrl === "object") return proxyUrl
  const { data } = credential
  const ready = await readyRequest(call, { readFile: parts.readFile, data, context })
  if (isFailure(ready)) return ready
  const refusal = call.credential && credential.refusalFor(ready.url)
  if (refusal) return refusal
  const { timeoutMs, savesFile } = call
  const response = await parts.outbound.fetch(ready.url, {
    ...ready.init,
    timeoutMs,
    signal: context.signal,
    maxBytes: savesFile ? maxFileBytes : maxTextBytes,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  })
  if (savesFile && response.ok) return keep(response, { parts, context, savesFile })
  const text = await response.text()
  // Those who refuse a key like to repeat it.
  return { status: response.status, text: response.ok ? text : credential.redact(text) }
}

async function keep(
  response: Response,
  {
    parts,
    context: { botId, resultId },
    savesFile: { extension },
  }: { parts: HttpParts; context: CallContext; savesFile: { extension: string } },
): Promise<HttpAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const fileUrl = await parts.files.save(bytes, { botId, resultId, extension })
  return { status: response.status, text: "", fileUrl }
}

async function find(
  { credentials }: HttpParts,
  credential: Credential | undefined,
  context: CallContext,
): Promise<OpenCredential | Failure> {
  return credential ? credentials.find(credential, context) : noCredential
}

const noCredential = openCredential("none", {}, { name: "", allowedHosts: [] })

async function proxyOf(
  { credentials }: HttpParts,
  { proxyCredentialsId: id }: HttpAsk,
  context: CallContext,
): Promise<string | undefined | Failure> {
  if (!id) return undefined
  const credential = await credentials.find({ id, type: "http proxy" }, context)
  if (isFailure(credential)) return credential
  const { url } = credential.data
  return typeof url === "string" ? url : fail("The proxy has no address", "credentials")
}

/** What went wrong, without a word of what was sent: messages of the network may repeat it. */
function failureOf(error: unknown): Failure {
  if (error instanceof MissingSecretError) return fail(error.message, "credentials")
  if (error instanceof TooLargeError) return fail("The response is too large")
  return networkFailure(error, "The server")
}

function fail(description: string, reason?: Failure["reason"]): Failure {
  return { failed: true, description, ...(reason === undefined ? {} : { reason }) }
}
