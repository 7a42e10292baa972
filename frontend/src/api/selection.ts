/** Filter and stack transforms of a profile, applied by the server. An absent field does not filter. */
export type Selection = {
  /** Seconds from the first sample, `t1` excluded. */
  t0?: number | undefined
  t1?: number | undefined
  /** Sample indices, for profiles without timestamps. */
  from_sample?: number | undefined
  to_sample?: number | undefined
  cpu?: number[] | undefined
  tid?: number[] | undefined
  comm?: string[] | undefined
  /** Function names, or regular expressions as `/pattern/`. */
  focus?: string[] | undefined
  hide?: string[] | undefined
  merge?: string[] | undefined
  collapse_recursion?: true | undefined
  /** Idle samples are included unless this is false. */
  idle?: false | undefined
  weight?: 'samples' | undefined
}
