/** A realm that every script finds as it was opened, whatever the scripts before it did. */
import { addRandom, prepareBuiltIns } from "./builtIns.ts"
import { addLocale } from "./locale.ts"
import type { Machine } from "./machine.ts"
import { openRealm, type Realm } from "./realm.ts"

/** A realm with what scripts have besides the language. */
export type FreshRealm = {
  realm: Realm
  /** Gives a program what expressions do not have. */
  addBuiltIns: ReturnType<typeof prepareBuiltIns>
  /** Puts everything back as it was before the first script, in a fraction of the time of opening. */
  reset(): void
}

/** Opens it; throws when the machine is out of memory. */
export function openFreshRealm(machine: Machine): FreshRealm {
  const realm = openRealm(machine)
  addLocale(realm)
  addRandom(realm)
  const addBuiltIns = prepareBuiltIns(realm)
  // Last: nothing that is made later outlives a script.
  return { realm, addBuiltIns, reset: machine.copyMemory() }
}
