/** Writes the folder of the package `@parley/client`: `tsx scripts/clientPackage/main.ts <folder>`. */
import { writeClientPackage } from "./writePackage.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("Say which folder to write")
await writeClientPackage(folder)
