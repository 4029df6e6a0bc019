/** Asks for files; the reply is the list of their addresses. */
import isURL from "validator/lib/isURL.js"
import { z } from "zod"
import { spend } from "../../../budget/fuel.ts"
import { allowedExtensions } from "../../../mimeTypes.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { BlockContext, Verdict } from "../../block.ts"
import { blockSchemaOf, input } from "../../defineBlock.ts"
import { answerShape, askPrefilled, typedAs, visibilitySchema } from "../asking.ts"

export const fileInputBlockSchema = blockSchemaOf("file input", {
  options: optional.named("FileInputOptions", "How the files are asked for and stored", {
    ...answerShape,
    isRequired: optional.flag("Whether it must be answered", true),
    isMultipleAllowed: optional.flag("Whether several files", false),
    labels: optional.named("FileInputLabels", "Texts around the files", {
      placeholder: optional.template("HTML shown in the drop zone"),
      button: optional.template("Label of the upload button; default Upload"),
      clear: optional.template("Label of the button that removes the files; default Clear"),
      skip: optional.template("Label of the button that continues without files; default Skip"),
      success: optional.object("Texts shown after the upload", {
        single: optional.template("Shown after one file; default File uploaded"),
        multiple: optional.template("Shown after several; {total} is their number"),
      }),
    }),
    allowedFileTypes: optional.object("Kinds of files that are taken", {
      isEnabled: optional.flag("Whether the list applies", false),
      types: optional.list("MIME types, wildcards such as image/*, or extensions", z.string()),
    }),
    capture: optional.oneOf("Camera to open on a phone instead of the file picker", [
      "environment",
      "user",
    ]),
    visibility: visibilitySchema.optional(),
    sizeLimit: optional
      .number("Largest file in megabytes; heeded in versions below 6")
      .meta({ deprecated: true }),
  }),
}).meta({ id: "FileInputBlock" })

export type FileInputBlock = z.infer<typeof fileInputBlockSchema>

export const fileInputBlock = input(fileInputBlockSchema, {
  catalogue: {
    label: "File upload",
    description: "Asks for one or more files",
    category: "questions",
    icon: "upload",
  },
  isPaid: true,
  upgrade: { from5 },
  replyName: "file",
  takesOpeningMessage: true,
  uploads: ({ options }, extension) =>
    allows(allowedOf(options), extension)
      ? { isPrivate: options?.visibility === "Private", maxMegabytes: options?.sizeLimit }
      : undefined,
  samples: ({ options }) => {
    const allowed = allowedOf(options)
    const [extension = "pdf"] = allowed ?? []
    const file = `https://files.example/file.${extension}`
    const fitting = options?.isMultipleAllowed ? [file, `${file}, ${file}`] : [file]
    return {
      fitting: typedAs(allows(allowed, extension) ? fitting : []),
      refused: typedAs(["not a file"]),
    }
  },
  ask: (block, context) => {
    const asked = askPrefilled(block, context)
    const { placeholder } = block.options?.labels ?? {}
    if (!asked.options || placeholder === undefined) return asked
    // Clients show it as HTML, so values are escaped.
    const labels = {
      ...asked.options.labels,
      placeholder: interpolate(placeholder, context, "html"),
    }
    return { ...asked, options: { ...asked.options, labels } }
  },
  reply: (block, message, context) => {
    if (!message) return block.options?.isRequired === false ? "skip" : "retry"
    // A voice clip is an answer, but the linked variable takes only texts.
    if (message.type === "audio") return { accept: message.url, isSavedElsewhere: true }
    return message.type === "text" ? judgeList(block, message.text, context) : "retry"
  },
})

/** The costs of checking one part of a reply, and of reading one allowed type. */
const partUnits = 25
const typeUnits = 5

/** An address may contain the separator, so one valid part is enough. */
function judgeList(block: FileInputBlock, text: string, context: BlockContext): Verdict {
  const parts = text.split(", ")
  spend(context.fuel, partUnits * parts.length)
  spend(context.fuel, typeUnits * (block.options?.allowedFileTypes?.types?.length ?? 0))
  const first = parts.find((part) => isAbsoluteUrl(part, context.chat.ownHost))
  if (first === undefined || !areAllowed(parts, block)) return "retry"
  return { accept: block.options?.isMultipleAllowed ? text : first }
}

/** An address with its scheme (validator 13). `ownHost`: a host that needs no top-level domain. */
function isAbsoluteUrl(text: string, ownHost: string | undefined): boolean {
  const options = { protocols: ["http", "https"], require_protocol: true, validate_length: false }
  if (isURL.default(text, options)) return true
  const host = URL.canParse(text) ? new URL(text).hostname : undefined
  if (host === undefined || (host !== "localhost" && host !== ownHost)) return false
  return isURL.default(text, { ...options, require_tld: false })
}

function areAllowed(parts: string[], { options }: FileInputBlock): boolean {
  const allowed = allowedOf(options)
  return parts.every((part) => allows(allowed, part.slice(part.lastIndexOf(".") + 1)))
}

/** The extensions that files may have; undefined: any. */
function allowedOf(options: FileInputBlock["options"]): ReadonlySet<string> | undefined {
  const { isEnabled, types } = options?.allowedFileTypes ?? {}
  return isEnabled && types?.length ? allowedExtensions(types) : undefined
}

function allows(allowed: ReadonlySet<string> | undefined, extension: string): boolean {
  return allowed?.has(extension.toLowerCase()) ?? true
}

/** Versions 4 and 5: drops `sizeLimit`, now a limit of the service. */
function from5(block: FileInputBlock): FileInputBlock {
  if (block.options?.sizeLimit === undefined) return block
  const { sizeLimit: _, ...options } = block.options
  return { ...block, options }
}
