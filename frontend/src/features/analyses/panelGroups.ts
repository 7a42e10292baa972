import type { Panel } from '../../api'

/** Panels that describe the evidence: they assess nothing. */
const DESCRIBING: ReadonlySet<string> = new Set(['identity', 'quality'])

/**
 * Panels by state; `hasHosts` when they are about more than one host, `isAssessed` when a calm one assesses the system.
 * Where nothing was assessed, nothing is called normal.
 */
export type PanelGroups = { notable: Panel[]; calm: Panel[]; unknown: Panel[]; hasHosts: boolean; isAssessed: boolean }

export function groupPanels(panels: readonly Panel[]): PanelGroups {
  const inState = (state: Panel['state']) => panels.filter((panel) => panel.state === state)
  const calm = inState('calm')
  const isAssessed = calm.some(({ name }) => !DESCRIBING.has(name))
  return {
    notable: inState('notable'),
    calm: isAssessed ? calm : [],
    unknown: inState('unknown'),
    hasHosts: new Set(panels.map(({ host }) => host)).size > 1,
    isAssessed,
  }
}

/** The commands whose output the panels lack, without duplicates. */
export function missingCommands(panels: readonly Panel[]): string[] {
  return [...new Set(panels.flatMap(({ lacks }) => lacks))]
}

/** The file name of a citation, without its folders. */
export const fileOf = ({ evidence }: { evidence: string }): string => evidence.split('/').at(-1) ?? evidence

/** The lines of a citation: `:3`, `:3–9`. */
export function linesOf({ first_line, last_line }: { first_line: number; last_line: number }): string {
  return last_line > first_line ? `:${first_line}–${last_line}` : `:${first_line}`
}
