/** The rules of exploring: requirements and remedies. */
import type { Rule } from "../../authoring/lint/finding.ts"

export type ReportRule = Pick<Rule, "id" | "severity" | "description" | "remedy">

/** Every rule, errors first. */
export const exploreRules = [
  {
    id: "loop-without-input",
    severity: "error",
    description: "Every loop asks something, or ends before the chat has to be stopped.",
    remedy: "Ask something inside the loop, or make sure that a condition leaves it.",
  },
  {
    id: "limit-exceeded",
    severity: "error",
    description: "No conversation needs more work, or holds more, than a chat may.",
    remedy: "Look there for a list or a text that grows with every reply, and bound it.",
  },
  {
    id: "reply-refused",
    severity: "error",
    description: "The service answers every possible message.",
    remedy: "Connect the named event or block, or remove it.",
  },
  {
    id: "crash",
    severity: "error",
    description: "No conversation makes the engine fail.",
    remedy: "Report it with the file of the conversation: this is a fault of the engine.",
  },
  {
    id: "endless-script",
    severity: "error",
    description: "Every script comes to an end.",
    remedy: "Look for an endless loop, or for work that grows with messages.",
  },
  {
    id: "failing-script",
    severity: "error",
    description: "Code does not fail whenever it runs.",
    remedy: "Correct the code: the message says why it fails.",
  },
  {
    id: "unfollowed-link",
    severity: "warning",
    description: "Every link leads into a bot that exists, and exploring has it.",
    remedy: "Name the file of the bot (`--linked id=file`), or choose its group again.",
  },
  {
    id: "hidden-group",
    severity: "warning",
    description: "No group is unreachable because of a duplicate id.",
    remedy: "Give the second one an id of its own, and change what refers to it.",
  },
  {
    id: "dead-end",
    severity: "warning",
    description: "No chat ends silently at an item or edge without a target.",
    remedy: "Connect it to a group, or show a message before the chat ends.",
  },
  {
    id: "silent-failure",
    severity: "warning",
    description: "No chat ends silently because another system failed.",
    remedy: "Report the failure, or continue the chat without the answer.",
  },
  {
    id: "asked-again",
    severity: "warning",
    description: "Every question accepts some answer and continues after it.",
    remedy: "Check the bounds of the question, and the condition that sends people back to it.",
  },
  {
    id: "unset-variable",
    severity: "warning",
    description: "No variable is shown, sent or compared before anything could set it.",
    remedy: "Ask for it or set it on this path too, or give it an initial value.",
  },
  {
    id: "says-nothing",
    severity: "warning",
    description: "No chat shows null, undefined, NaN or [object Object] instead of a value.",
    remedy: "Handle missing values in the code that makes the text.",
  },
  {
    id: "never-holds",
    severity: "warning",
    description: "Some reply makes every condition hold.",
    remedy: "Compare it with values that the question stores: the message names the condition.",
  },
  {
    id: "same-way",
    severity: "warning",
    description: "Separately drawn ways lead to different places, or their choice is stored.",
    remedy: "Connect them to different places, or draw one way and save the choice.",
  },
  {
    id: "unreached-group",
    severity: "warning",
    description: "Every group is reached by some conversation.",
    remedy:
      "Connect the group, or correct the condition that keeps people from it, unless a link of " +
      "another bot enters it.",
  },
] as const satisfies readonly ReportRule[]

export type ExploreRuleId = (typeof exploreRules)[number]["id"]

/** The rules that a single conversation can break, so that tests can require them. */
export const conversationFaults = [
  "dead-end",
  "silent-failure",
  "asked-again",
  "unset-variable",
  "same-way",
  "endless-script",
  "failing-script",
  "unfollowed-link",
  "says-nothing",
  "never-holds",
] as const satisfies readonly ExploreRuleId[]
