/** Zendesk: opens the messaging widget, signed in when it is known who writes. */
import { nonEmpty } from "../../../presentMembers.ts"
import { type ActionContext, calling, refusal, type ServiceStep, serviceBlock } from "../service.ts"
import { type ZendeskOptions, zendeskBlockSchema } from "./schema.ts"

export const zendeskBlock = serviceBlock(zendeskBlockSchema, {
  "Open Web Widget": {
    activity: "While signing in at Zendesk",
    run: signIn,
    resume: { jwt: (action, { token }) => openWidget(action, token) },
  },
})

function signIn(action: ActionContext<ZendeskOptions>): ServiceStep {
  const { userId, name, email, webWidgetKey } = action.options
  if (!webWidgetKey) return refusal("No key of the widget is given")
  if (!userId) return openWidget(action, "")
  return calling({
    kind: "jwt",
    credential: action.credential,
    key: "conversationsSecretKey",
    keyId: "conversationsKeyId",
    claims: {
      scope: "user",
      external_id: userId,
      ...nonEmpty({ name }),
      ...(email ? { email, email_verified: true } : {}),
    },
  })
}

function openWidget({ options }: ActionContext<ZendeskOptions>, token: string): ServiceStep {
  const args = {
    isAuthEnabled: options.userId ? "true" : "false",
    token,
    key: options.webWidgetKey ?? "",
  }
  return { act: [{ type: "codeToExecute", codeToExecute: { args, content: openCode } }] }
}

/** JavaScript that opens the widget of Zendesk (its Web Widget for messaging). Arguments: `isAuthEnabled` ("true" or "false"), `token` and `key`. */
const openCode = `const open = () => {
  if (isAuthEnabled === "true" && token) {
    window.zE("messenger", "loginUser", (answer) => answer(token))
  }
  window.zE("messenger", "show")
  window.zE("messenger", "open")
}
if (window.zE) open()
else {
  const script = document.createElement("script")
  script.id = "ze-snippet"
  script.src = "https://static.zdassets.com/ekr/snippet.js?key=" + encodeURIComponent(key)
  script.onload = open
  document.head.append(script)
}`
