/** Types of servicePackage.mjs. */

/** Writes the package of the service into a folder, which is made anew. */
export function writeServicePackage(
  root: string,
  packages: readonly string[],
  folder?: string,
): Promise<void>
