/** Registers every rule. */
import type { Rule } from "./finding.ts"
import * as blocks from "./rules/blocks.ts"
import * as code from "./rules/code.ts"
import * as files from "./rules/files.ts"
import * as impossible from "./rules/impossible.ts"
import * as names from "./rules/names.ts"
import * as paths from "./rules/paths.ts"
import * as secrets from "./rules/secrets.ts"
import * as shapes from "./rules/shapes.ts"
import * as tools from "./rules/tools.ts"
import * as members from "./rules/unknownMember.ts"
import * as workspaceVariables from "./rules/workspaceVariables.ts"

/** The first rule that judges an issue of a wrong shape reports it. */
export const rules: readonly Rule[] = [
  shapes.unknownVersion,
  shapes.noStart,
  shapes.invalidShape,
  members.unknownMember,
  impossible.muteBot,
  impossible.startLeadsNowhere,
  impossible.misspeltBlock,
  impossible.impossibleBounds,
  code.invalidCode,
  impossible.addressWithoutScheme,
  impossible.invalidJson,
  impossible.noRecipients,
  impossible.unknownCountry,
  impossible.oneSidedTest,
  impossible.endlessWait,
  paths.danglingEdge,
  paths.edgeWithoutTarget,
  paths.unreachableGroup,
  paths.emptyGroup,
  paths.deadEnd,
  paths.cycleWithoutInput,
  names.unknownVariable,
  names.unknownVariableId,
  names.unusedVariable,
  names.longText,
  files.unusedFile,
  names.duplicateVariable,
  names.duplicateId,
  blocks.choiceWithoutItems,
  blocks.choiceWithoutLabel,
  blocks.conditionWithoutComparisons,
  blocks.invalidRegex,
  code.unknownName,
  paths.missingJumpTarget,
  blocks.unsupportedBlock,
  secrets.missingCredential,
  secrets.unlistedHost,
  blocks.httpWithoutUrl,
  secrets.overriddenSecret,
  secrets.secretInClear,
  secrets.missingSecret,
  workspaceVariables.unknownWorkspaceVariable,
  workspaceVariables.exposedSecret,
  tools.incompleteTool,
]

/** Ids of the rules that a bot must keep to run at all: the service refuses to publish violations. */
export const rulesToRun: ReadonlySet<string> = new Set(
  [shapes.unknownVersion, shapes.noStart, shapes.invalidShape].map(({ id }) => id),
)
