/** Performs calls of the kind `http`: requests of flows, with the secrets of their credentials. */
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
import type { FileStore } from "../files/fileStore.ts"
import type { ReadFile } from "../files/readFile.ts"
import { MissingSecretError, readyRequest } from "../httpRequest.ts"
import type { CallContext, Performer } from "../perform.ts"
import { networkFailure } from "./networkFailure.ts"
import { type Outbound, TooLargeError } from "./outbound.ts"

/** What requests are made with. */
export type HttpDeps = {
  outbound: Pick<Outbound, "fetch">
  credentials: Credentials
  readFile: ReadFile
  files: Pick<FileStore, "save">
  /** Whether anonymous previews may make requests. */
  allowsRestricted: boolean
}

const maxTextBytes = 5_000_000
const maxFileBytes = 25_000_000

/** Methods that are forbidden to clients (Fetch standard). */
const refusedMethods = new Set(["CONNECT", "TRACE", "TRACK"])

/** Opens the performer. */
export function openHttp(deps: HttpDeps): Performer<"http"> {
  return {
    isOutside: () => true,
    async perform(call, context) {
      if (context.isRestricted && !deps.allowsRestricted) {
        return fail("Requests cannot be made in an anonymous preview", "blocked")
      }
      if (refusedMethods.has(call.request.method)) {
        return fail(`Requests cannot be made with the method ${call.request.method}`)
      }
      const credential = await find(deps, call.credential, context)
      if (isFailure(credential)) return credential
      try {
        return await send(deps, call, { context, credential })
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

type Caller = { context: CallContext; credential: OpenCredential }

async function send(
  deps: HttpDeps,
  call: Call<"http">,
  { context, credential }: Caller,
): Promise<HttpAnswer | Failure> {
  const proxyUrl = await proxyOf(deps, call, context)
  if (typeof proxyUrl === "object") return proxyUrl
  const { data } = credential
  const ready = await readyRequest(call, { readFile: deps.readFile, data, context })
  if (isFailure(ready)) return ready
  const refusal = call.credential && credential.refusalFor(ready.url)
  if (refusal) return refusal
  const { timeoutMs, savesFile } = call
  const response = await deps.outbound.fetch(ready.url, {
    ...ready.init,
    timeoutMs,
    signal: context.signal,
    maxBytes: savesFile ? maxFileBytes : maxTextBytes,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  })
  if (savesFile && response.ok) return keep(response, { deps, context, savesFile })
  const text = await response.text()
  // Refusals may repeat the key.
  return { status: response.status, text: response.ok ? text : credential.redact(text) }
}

async function keep(
  response: Response,
  {
    deps,
    context: { botId, resultId },
    savesFile: { extension },
  }: { deps: HttpDeps; context: CallContext; savesFile: { extension: string } },
): Promise<HttpAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const fileUrl = await deps.files.save(bytes, { botId, resultId, extension })
  return { status: response.status, text: "", fileUrl }
}

async function find(
  { credentials }: HttpDeps,
  credential: Credential | undefined,
  context: CallContext,
): Promise<OpenCredential | Failure> {
  return credential ? credentials.find(credential, context) : noCredential
}

const noCredential = openCredential("none", {}, { name: "", allowedHosts: [] })

async function proxyOf(
  { credentials }: HttpDeps,
  { proxyCredentialsId: id }: HttpAsk,
  context: CallContext,
): Promise<string | undefined | Failure> {
  if (!id) return undefined
  const credential = await credentials.find({ id, type: "http proxy" }, context)
  if (isFailure(credential)) return credential
  const { url } = credential.data
  return typeof url === "string" ? url : fail("The proxy has no address", "credentials")
}

/** What went wrong, without any part of the request: network errors may repeat it. */
function failureOf(error: unknown): Failure {
  if (error instanceof MissingSecretError) return fail(error.message, "credentials")
  if (error instanceof TooLargeError) return fail("The response is too large")
  return networkFailure(error, "The server")
}

function fail(description: string, reason?: Failure["reason"]): Failure {
  return { failed: true, description, ...(reason === undefined ? {} : { reason }) }
}
