/** Optional members of schemas, each with the description that the published document shows. */
import { z } from "zod"
import { variableIdSchema } from "./id.ts"

/** Makes a member that may be left out; what it means when it is absent belongs in the description. */
export const optional = {
  text: (description: string) => z.string().optional().describe(description),
  /** A text in which tokens are replaced when a chat comes there. */
  template: (description: string) => optional.text(`${description}; may hold {{variables}}`),
  flag: (description: string) => z.boolean().optional().describe(description),
  number: (description: string) => z.number().optional().describe(description),
  numberOrVariable: (description: string) =>
    z.union([z.number(), z.string()]).optional().describe(`${description}: a number or a variable`),
  variableId: (description: string) => variableIdSchema.optional().describe(description),
  oneOf: <const Name extends string>(description: string, names: readonly Name[]) =>
    z.enum(names).optional().describe(description),
  list: <Element extends z.ZodType>(description: string, element: Element) =>
    z.array(element).optional().describe(description),
  object: <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
    z.object(shape).optional().describe(description),
}
