import type { Panel } from '../../api'

/** Panels by what they say; hosts are told apart only when there are several. */
export type Ranked = { notable: Panel[]; calm: Panel[]; unknown: Panel[]; hasHosts: boolean }

export function ranked(panels: readonly Panel[]): Ranked {
  const of = (state: Panel['state']) => panels.filter((panel) => panel.state === state)
  return { notable: of('notable'), calm: of('calm'), unknown: of('unknown'), hasHosts: new Set(panels.map(({ host }) => host)).size > 1 }
}

/** What several analyses lack, each command once. */
export function lacking(panels: readonly Panel[]): string[] {
  return [...new Set(panels.flatMap(({ lacks }) => lacks))]
}

/** The name of the file, without the folders above it. */
export const fileOf = (place: { evidence: string }): string => place.evidence.split('/').at(-1) ?? place.evidence

/** The lines as they stand behind a file: `:3`, `:3–9`. */
export function linesOf({ first_line, last_line }: { first_line: number; last_line: number }): string {
  return last_line > first_line ? `:${first_line}–${last_line}` : `:${first_line}`
}
