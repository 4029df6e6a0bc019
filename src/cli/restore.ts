/** parley restore */
import { restoreBackup } from "./backup/commands.ts"
import { command, word } from "./command.ts"
import { restoreVersion } from "./versions.ts"
import { serviceArgs } from "./withService.ts"

export const restoreCommand = command({
  name: "restore",
  description:
    "Restore a backup into an empty database (DATABASE_URL, or a new PARLEY_DATA), or make a " +
    "version of a bot its draft again, keeping the draft as a version",
  args: {
    what: word("Backup file, or a bot"),
    number: { ...word("Version of the bot"), required: false },
    ...serviceArgs,
  },
  run: ({ what, number, url, token }, environment) =>
    number === undefined
      ? restoreBackup(what, environment)
      : restoreVersion({ bot: what, number, url, token }, environment),
})
