/** parley migrate */
import { command, print, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

export const migrateCommand = command({
  name: "migrate",
  description: "Migrate the database to this version of Parley",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(
      environment,
      async ({ applied }) => {
        for (const name of applied) print(`Applied ${name}`)
        if (applied.length === 0) tell("Nothing to do: the database has every migration.")
      },
      { mayCreate: true },
    )
  },
})
