/** Every attack and every control, door by door. */

import type { Attack } from "../attack.ts"
import { atDoors } from "../doors.ts"
import { authoring } from "./authoring.ts"
import { bodyAttacks } from "./bodies.ts"
import { callingAttacks } from "./calling.ts"
import { comparing } from "./comparing.ts"
import { filling } from "./filling.ts"
import { headAttacks } from "./heads.ts"
import { looping } from "./looping.ts"
import { markup } from "./markup.ts"
import { replying } from "./replying.ts"
import { thefts } from "./stealing.ts"
import { uploadAttacks } from "./uploading.ts"
import { upstreams } from "./upstreams.ts"

const flows = [...comparing, ...filling, ...looping, ...markup, ...replying, ...upstreams]

export const allAttacks: readonly Attack[] = [
  ...flows.flatMap(atDoors),
  ...callingAttacks,
  ...bodyAttacks,
  ...headAttacks,
  ...uploadAttacks,
  ...thefts,
  ...authoring,
]
