/** Which samples of a profile count and how their stacks are shaped; the server weighs them. Absent means all. */
export type Selection = {
  /** Seconds from the first sample, `t1` excluded. */
  t0?: number | undefined
  t1?: number | undefined
  /** Positions in the recording, for what has no clock. */
  from_sample?: number | undefined
  to_sample?: number | undefined
  cpu?: number[] | undefined
  tid?: number[] | undefined
  comm?: string[] | undefined
  /** Names, or `/expressions/`. */
  focus?: string[] | undefined
  hide?: string[] | undefined
  merge?: string[] | undefined
  collapse_recursion?: true | undefined
  /** Idle samples count unless this is false. */
  idle?: false | undefined
  weight?: 'samples' | undefined
}
