/** Every rule, once. */
import type { Rule } from "./finding.ts"
import * as blocks from "./rules/blocks.ts"
import * as files from "./rules/files.ts"
import * as members from "./rules/members.ts"
import * as names from "./rules/names.ts"
import * as paths from "./rules/paths.ts"
import * as secrets from "./rules/secrets.ts"
import * as shapes from "./rules/shapes.ts"

/** Of the rules that judge a wrong shape, the first that takes an issue reports it. */
export const rules: readonly Rule[] = [
  shapes.unknownVersion,
  shapes.noStart,
  shapes.invalidShape,
  members.unknownMember,
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
  paths.missingJumpTarget,
  blocks.unsupportedBlock,
  secrets.missingCredential,
  secrets.unlistedHost,
  blocks.httpWithoutUrl,
  secrets.secretInClear,
]
