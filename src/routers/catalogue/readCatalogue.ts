/** The catalogue and the schema of bot files, created at the first request. */
import { setImmediate } from "node:timers/promises"
import { botFileSchemaOf } from "../../authoring/catalogue/botFileSchema.ts"
import { type CatalogueEntry, catalogueEntries } from "../../authoring/catalogue/catalogue.ts"
import { editorSchemaOf, type JsonSchema } from "../../authoring/catalogue/editorSchema.ts"
import { type CredentialForm, credentialForms } from "../../effects/credentials/credentialForms.ts"
import { settingsSchema } from "../../engine/schema/settings.ts"
import { themeSchema } from "../../engine/schema/theme.ts"

type Catalogue = {
  blocks: CatalogueEntry[]
  credentials: CredentialForm[]
  theme: JsonSchema
  settings: JsonSchema
}

let catalogue: Promise<Catalogue> | undefined
let botFileSchema: Promise<JsonSchema> | undefined

/** Every type of block, event and credential, the theme and the settings; always the same object. */
export function readCatalogue(): Promise<Catalogue> {
  catalogue ??= makeCatalogue()
  return catalogue
}

/** The JSON Schema of a file with a bot; always the same object. */
export function readBotFileSchema(): Promise<JsonSchema> {
  botFileSchema ??= readCatalogue().then(({ blocks }) => botFileSchemaOf(blocks))
  return botFileSchema
}

async function makeCatalogue(): Promise<Catalogue> {
  return {
    blocks: await collectSlowly(catalogueEntries()),
    credentials: await collectSlowly(credentialForms()),
    theme: editorSchemaOf(themeSchema),
    settings: editorSchemaOf(settingsSchema),
  }
}

/** Yields to the event loop after each type, so that no chat waits for all of them. */
async function collectSlowly<Part>(parts: Iterable<Part>): Promise<Part[]> {
  const collected: Part[] = []
  for (const part of parts) {
    collected.push(part)
    await setImmediate()
  }
  return collected
}
