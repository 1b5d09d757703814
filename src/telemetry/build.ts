/** What wrote an event: the same for all events of a process. */
export interface Build {
  /** `node`, `deno`, `workers`. */
  readonly runtime: string
  /** The release: `0.1.0`. */
  readonly version: string
}
