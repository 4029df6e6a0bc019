/** POST /api/v1/generate-upload-url, and the same path under the later version prefixes. */

import { z } from "zod"
import { signUpload } from "../../chat/uploads/signUpload.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { isAnonymous } from "../../people/access.ts"
import { countedAddress } from "../context.ts"
import { exampleIds } from "../examples.ts"
import { sessionIdSchema } from "../sharedSchemas.ts"
import { publicOperation } from "../trpc.ts"

const exampleFileUrl =
  "https://parley.example.com/files/public/34cc73dbcdb5d2233fa63c1cae92434a/df67e5bba2c78673cb9a79bde53ce49d/RrSqDf7DBip7QtWdaJOG7fQMsf46NlN6.txt"

export const generateUploadUrlProcedure = publicOperation("POST /generate-upload-url", {
  operationId: "generateUploadUrl",
  admits: "anybody",
  takesPlainInput: true,
  tag: "Chat",
  summary: "Prepare an upload",
  description:
    "POST the form to `presignedUrl`, then continue the chat with `fileUrl`. 400 unless the chat waits for a file of this kind and size at this block; 429 when the chat, or without a token the caller's address, has reached its upload limit.",
  aliases: ["/api/v2/generate-upload-url", "/api/v3/generate-upload-url"],
  example: {
    request: {
      sessionId: exampleIds.sessionId,
      fileName: exampleIds.fileName,
      fileType: "text/plain",
      fileSize: 5,
    },
    response: {
      presignedUrl: `${exampleFileUrl}?expires=1779438330123&max=5&tallies=0a1b2c3d&signature=Tq8ZrX2mVb4N`,
      formData: {},
      fileType: "text/plain; charset=utf-8",
      maxFileSize: 10,
      fileUrl: exampleFileUrl,
    },
  },
  input: {
    sessionId: sessionIdSchema,
    blockId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("Input that waits for the file; absent: the one that waits now"),
    fileName: z.string().max(1024).describe("Name of the file; only its ending may count"),
    fileType: z.string().max(255).nullish().describe("MIME type of the file"),
    fileSize: z
      .number()
      .min(0)
      .nullish()
      .describe("Size of the file in bytes; a larger upload is then refused"),
  },
  output: namedObject("UploadUrl", "Permission to upload one file", {
    presignedUrl: z.string().describe("URL to POST the form to, within ten minutes"),
    formData: z
      .record(z.string(), z.string())
      .describe("Fields of the form; the file comes last, as the field `file`"),
    fileType: z.string().describe("MIME type under which the file is stored"),
    maxFileSize: z.number().describe("Largest size in megabytes"),
    fileUrl: z.string().describe("URL of the uploaded file, to send in the reply"),
  }),
}).mutation(async ({ ctx, input }) => {
  await ctx.limit("continueChat", input.sessionId)
  const { origin, iframeReferrerOrigin, onlyBots, hasLeft } = ctx
  const { fileType, fileSize, ...asked } = input
  const file = { fileType: fileType ?? undefined, fileSize: fileSize ?? undefined }
  const address = (await isAnonymous(ctx)) ? countedAddress(ctx) : undefined
  const request = { ...asked, ...file, origin, iframeReferrerOrigin, onlyBots, address, hasLeft }
  return signUpload({ chat: ctx.chat, ...ctx.uploads }, request)
})
