/**
 * Loads the built product and judges how it bears that: `npx tsx scripts/load.ts <mode> [options]`. Each
 * mode says in its file what it does, which options it takes and when it ends with 1.
 */
const modes = ["conversations", "shares", "siege", "steady"]

const [mode = ""] = process.argv.slice(2)
if (!modes.includes(mode)) {
  console.error(`Usage: npx tsx scripts/load.ts <${modes.join(" | ")}> [options]`)
  process.exit(2)
}
await import(`./load/${mode}.ts`)
