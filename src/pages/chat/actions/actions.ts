/** The client's handler for each type of action; a missing one does not compile. */
import { codeOf } from "../code/code.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import type { ActionOf, ActionType, ChatStep } from "../payload.ts"
import { pause } from "../talk/pause.ts"
import { interruptible, type Talk } from "../talk/talk.ts"
import { listenForWebhook } from "./listenForWebhook.ts"
import { openPage } from "./openPage.ts"
import { streamAnswer } from "./streamAnswer.ts"

/**
 * Runs an action. A returned text is sent if the chat waits for the outcome; a step means that the chat has
 * already continued.
 */
export type ActionHandler<T extends ActionType> = (
  talk: Talk,
  action: ActionOf<T>,
) => Promise<string | ChatStep | undefined>

export const actions: { readonly [T in ActionType]: ActionHandler<T> } = {
  scriptToExecute: async (talk, { scriptToExecute }) => {
    await talk.page.runCode(codeOf(scriptToExecute))
  },
  setVariable: async (talk, { setVariable }) => {
    const { scriptToExecute } = setVariable
    const code = codeOf(scriptToExecute)
    // As in the service's sandbox: an expression gets a `return`.
    const content = code.content.includes("return ")
      ? code.content
      : `return ${code.content.trimStart()}`
    try {
      return textOf(await talk.page.runCode({ ...code, content }))
    } catch (error) {
      if (talk.closing.signal.aborted) throw error
      return scriptToExecute.content
    }
  },
  codeToExecute: async (talk, { codeToExecute }) => {
    await talk.page.runCode(codeToExecute)
  },
  chatwoot: async (talk, { chatwoot }) => {
    // Its widget is in the page, where the author's code may only run if the page allows it.
    if (!talk.page.isTrusted) throw new Error("The page does not trust the code of bots")
    await talk.page.runCode(codeOf(chatwoot.scriptToExecute))
  },
  redirect: async (talk, { redirect }) => {
    openPage(talk, redirect.url, redirect.isNewTab === true)
  },
  wait: async (talk, { wait, expectsDedicatedReply }) => {
    talk.store.change({ isTyping: true })
    const signal = expectsDedicatedReply ? interruptible(talk) : talk.closing.signal
    await pause(wait.secondsToWaitFor * 1000, signal)
  },
  httpRequestToExecute: async (talk, { httpRequestToExecute }) => {
    const { sendRequest } = await loadOnDemand(talk.connection.host)
    return await sendRequest(talk, httpRequestToExecute)
  },
  startPropsToInject: async (talk, { startPropsToInject }) => {
    const { injectTrackers } = await loadOnDemand(talk.connection.host)
    injectTrackers(talk, startPropsToInject)
  },
  googleAnalytics: async ({ connection }, { googleAnalytics }) => {
    const { sendToAnalytics } = await loadOnDemand(connection.host)
    sendToAnalytics(googleAnalytics)
  },
  pixel: async ({ connection }, { pixel }) => {
    const { sendToPixel } = await loadOnDemand(connection.host)
    sendToPixel(pixel)
  },
  stream: streamAnswer,
  streamOpenAiChatCompletion: streamAnswer,
  listenForWebhook,
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || value === undefined ? value : JSON.stringify(value)
}
