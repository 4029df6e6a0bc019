/** Zendesk: opens the messaging widget, signed in if the user is known. */
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import {
  type ActionOf,
  actionOption,
  calling,
  credentialsOption,
  refusal,
  type ServiceStep,
  serviceBlock,
} from "../serviceBlock.ts"

const zendeskBlockSchema = blockSchemaOf("zendesk", {
  options: optional.named("ZendeskOptions", "The widget to open", {
    credentialsId: credentialsOption,
    action: actionOption(["Open Web Widget"]),
    userId: optional.template("Identifier of the visitor; absent: not signed in"),
    name: optional.template("Name of the visitor"),
    email: optional.template("Mail address of the visitor"),
    webWidgetKey: optional.template("Key of the widget"),
  }),
}).meta({ id: "ZendeskBlock" })

type ZendeskAction = ActionOf<typeof zendeskBlockSchema>

export const zendeskBlock = serviceBlock(zendeskBlockSchema, {
  catalogue: {
    label: "Zendesk",
    description: "Opens the Zendesk widget, signed in if the visitor is known",
    category: "communication",
    icon: "headset",
    messengers: "none",
  },
  actions: {
    "Open Web Widget": {
      activity: "While signing in at Zendesk",
      run: signIn,
      resume: { jwt: (action, { token }) => openWidget(action, token) },
    },
  },
})

function signIn(action: ZendeskAction): ServiceStep {
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

function openWidget({ options }: ZendeskAction, token: string): ServiceStep {
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
