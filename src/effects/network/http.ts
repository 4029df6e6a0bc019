/** Performs calls of the kind `http`: makes the requests of flows, with the secrets of their credentials. */
import type { Response } from "undici"
import {
  type Call,
  type Failure,
  type HttpAnswer,
  type HttpAsk,
  isFailure,
} from "../../engine/calls.ts"
import { AppError } from "../../lib/errors.ts"
import {
  type Credentials,
  createOpenCredential,
  type OpenCredential,
} from "../credentials/credentials.ts"
import { type HttpAuth, redactSecret, requestSecretOf } from "../credentials/httpAuth.ts"
import { createOauthTokens, type OauthTokens } from "../credentials/oauthTokens.ts"
import { failed, serverFailure } from "../failures.ts"
import type { FileStore } from "../files/fileStore.ts"
import type { ReadFile } from "../files/readFile.ts"
import { MissingSecretError, type ReadyRequest, readyRequest } from "../httpRequest.ts"
import type { CallContext, Performer } from "../perform.ts"
import type { UsedSecrets } from "../variables/turnVariables.ts"
import type { Outbound, OutboundInit } from "./outbound.ts"

type HttpDeps = {
  outbound: Pick<Outbound, "fetch">
  credentials: Credentials
  readFile: ReadFile
  files: Pick<FileStore, "save">
  /** Whether anonymous previews may make requests. */
  allowsRestricted: boolean
}

const maxTextBytes = 5_000_000
const maxFileBytes = 25_000_000

/** Forbidden methods (Fetch standard). */
const refusedMethods = new Set(["CONNECT", "TRACE", "TRACK"])

type OpenDeps = HttpDeps & { oauthTokens: OauthTokens }

export function createHttp(given: HttpDeps): Performer<"http"> {
  const deps = { ...given, oauthTokens: createOauthTokens(given.outbound) }
  return async (call, context) => {
    if (context.isRestricted && !deps.allowsRestricted) {
      return failed("Requests cannot be made in an anonymous preview", { reason: "blocked" })
    }
    if (refusedMethods.has(call.request.method)) {
      return failed(`Requests cannot be made with the method ${call.request.method}`)
    }
    const credential = call.credential
      ? await deps.credentials.find(call.credential, context)
      : noCredential
    if (isFailure(credential)) return credential
    const secrets = context.secrets?.usedIn(call)
    if (secrets && isFailure(secrets)) return secrets
    try {
      return await send(deps, call, { context, credential, secrets })
    } catch (error) {
      const failure = failureOf(error)
      return secrets ? secrets.redact(failure) : failure
    }
  }
}

type Caller = {
  context: CallContext
  credential: OpenCredential
  secrets: UsedSecrets | undefined
}

async function send(deps: OpenDeps, call: Call<"http">, caller: Caller) {
  const { context, credential, secrets } = caller
  const proxyUrl = await proxyOf(deps, call, context)
  if (typeof proxyUrl === "object") return proxyUrl
  const { data } = credential
  const ready = await readyRequest(call, { readFile: deps.readFile, data, context, secrets })
  if (isFailure(ready)) return ready
  const outcome = await answerTo(deps, call, { ...caller, ready, proxyUrl })
  return secrets ? secrets.redact(outcome) : outcome
}

type Sending = Caller & { ready: ReadyRequest; proxyUrl: string | undefined }

async function answerTo(
  deps: OpenDeps,
  call: Call<"http">,
  { context, credential, ready, proxyUrl }: Sending,
): Promise<HttpAnswer | Failure> {
  const refusal = call.credential && credential.refusalFor(ready.url)
  if (refusal) return refusal
  const { timeoutMs, savesFile } = call
  const maxBytes = savesFile ? maxFileBytes : maxTextBytes
  const init = { ...ready.init, timeoutMs, signal: context.signal, maxBytes, proxyUrl }
  const request = (more: OutboundInit = {}) => deps.outbound.fetch(ready.url, { ...init, ...more })
  if (credential.type === "http") return await sendSigned(deps, credential, request)
  const response = await request()
  const { status } = response
  if (savesFile && response.ok) {
    const [owner] = context.fileOwners
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.length === 0 || saysWords(response)) return failed("The answer is no file")
    const file = { ...owner, extension: savesFile.extension }
    return { status, text: "", fileUrl: await deps.files.save(bytes, file) }
  }
  const text = await response.text()
  // A refusal may repeat the key.
  return { status, text: response.ok ? text : credential.redact(text) }
}

/** Sends a request with the secret of a credential of the type `http`. */
async function sendSigned(
  { oauthTokens }: OpenDeps,
  credential: OpenCredential,
  request: (more: OutboundInit) => Promise<Response>,
): Promise<HttpAnswer | Failure> {
  const { auth } = credential.data as { auth: HttpAuth }
  const isClient = auth.type === "oauth2ClientCredentials"
  const tokenFor = async (refused?: string) =>
    isClient ? await oauthTokens(credential.version, auth, refused) : ""
  const sendWith = async (token: string) => {
    const secret = requestSecretOf(auth, token)
    let isEncrypted = false
    const secretFor = (url: URL) => {
      const isDowngraded = isEncrypted && url.protocol !== "https:"
      isEncrypted ||= url.protocol === "https:"
      return isDowngraded || credential.refusalFor(url.href) ? undefined : secret
    }
    const response = await request({ secretFor })
    return { status: response.status, text: redactSecret(await response.text(), auth, token) }
  }
  const token = await tokenFor()
  if (typeof token !== "string") return token
  const answer = await sendWith(token)
  if (answer.status !== 401 || !isClient) return answer
  const renewed = await tokenFor(token)
  return typeof renewed === "string" ? await sendWith(renewed) : answer
}

/** Whether an answer is a page or JSON, with which some servers refuse although the status is 200. */
function saysWords({ headers }: Response): boolean {
  return /^\s*(?:text\/html|application\/json)/i.test(headers.get("content-type") ?? "")
}

const noCredential = createOpenCredential("none", {}, { name: "", allowedHosts: [] })

async function proxyOf(
  { credentials }: HttpDeps,
  { proxyCredentialsId: id }: HttpAsk,
  context: CallContext,
): Promise<string | undefined | Failure> {
  if (!id) return undefined
  const credential = await credentials.find({ id, type: "http proxy" }, context)
  if (isFailure(credential)) return credential
  const { url } = credential.data
  if (typeof url === "string") return url
  return failed("The proxy has no address", { reason: "credentials" })
}

/** Describes an error without any part of the request, which network errors may repeat. */
function failureOf(error: unknown): Failure {
  if (error instanceof MissingSecretError) return failed(error.message, { reason: "credentials" })
  // The store of files has failed, not the server.
  if (error instanceof AppError) return failed(error.message)
  return serverFailure(error)
}
