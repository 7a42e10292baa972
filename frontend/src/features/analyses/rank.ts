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

export function placeWords(place: { evidence: string; first_line: number; last_line: number }): string {
  const file = place.evidence.split('/').at(-1) ?? place.evidence
  return place.last_line > place.first_line ? `${file}:${place.first_line}–${place.last_line}` : `${file}:${place.first_line}`
}
