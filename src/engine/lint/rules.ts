/** Every rule, once. */
import type { Rule } from "./finding.ts"
import { choiceWithoutItems } from "./rules/choiceWithoutItems.ts"
import { conditionWithoutComparisons } from "./rules/conditionWithoutComparisons.ts"
import { cycleWithoutInput } from "./rules/cycleWithoutInput.ts"
import { danglingEdge } from "./rules/danglingEdge.ts"
import { deadEnd } from "./rules/deadEnd.ts"
import { duplicateId } from "./rules/duplicateId.ts"
import { duplicateVariable } from "./rules/duplicateVariable.ts"
import { edgeWithoutTarget } from "./rules/edgeWithoutTarget.ts"
import { emptyGroup } from "./rules/emptyGroup.ts"
import { httpWithoutUrl } from "./rules/httpWithoutUrl.ts"
import { invalidRegex } from "./rules/invalidRegex.ts"
import { invalidShape } from "./rules/invalidShape.ts"
import { missingCredential } from "./rules/missingCredential.ts"
import { missingJumpTarget } from "./rules/missingJumpTarget.ts"
import { noStart } from "./rules/noStart.ts"
import { secretInClear } from "./rules/secretInClear.ts"
import { unknownVariable } from "./rules/unknownVariable.ts"
import { unknownVariableId } from "./rules/unknownVariableId.ts"
import { unknownVersion } from "./rules/unknownVersion.ts"
import { unlistedHost } from "./rules/unlistedHost.ts"
import { unreachableGroup } from "./rules/unreachableGroup.ts"
import { unsupportedBlock } from "./rules/unsupportedBlock.ts"
import { unusedVariable } from "./rules/unusedVariable.ts"

/** Errors first. Of the rules that judge a wrong shape the first that takes an issue tells of it. */
export const rules: readonly Rule[] = [
  unknownVersion,
  noStart,
  invalidShape,
  danglingEdge,
  edgeWithoutTarget,
  unreachableGroup,
  emptyGroup,
  deadEnd,
  cycleWithoutInput,
  unknownVariable,
  unknownVariableId,
  unusedVariable,
  duplicateVariable,
  duplicateId,
  choiceWithoutItems,
  conditionWithoutComparisons,
  invalidRegex,
  missingJumpTarget,
  unsupportedBlock,
  missingCredential,
  unlistedHost,
  httpWithoutUrl,
  secretInClear,
]
