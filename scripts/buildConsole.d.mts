/** What the page of the console loads: names of files in dist/pages/console. */
export type ConsoleManifest = {
  script: string
  style: string
  /** Styles of all views but the first. */
  more: string
  /** What the script imports at once. */
  ahead: string[]
  files: string[]
}

export function buildConsole(): Promise<ConsoleManifest>
