import type { Panel } from '../../api'

/** Panels by state: calm ones that answer a question are normal, others and undecided ones with figures are not judged; `hasHosts` when they are about more than one host. */
export type PanelGroups = { notable: Panel[]; normal: Panel[]; unjudged: Panel[]; unknown: Panel[]; hasHosts: boolean }

export function groupPanels(panels: readonly Panel[]): PanelGroups {
  const inState = (state: Panel['state']) => panels.filter((panel) => panel.state === state)
  const calm = inState('calm')
  const undecided = inState('unknown')
  return {
    notable: inState('notable'),
    normal: calm.filter(({ assesses }) => assesses.length > 0),
    unjudged: [...calm.filter(({ assesses }) => assesses.length === 0), ...undecided.filter(({ figures }) => figures.length > 0)],
    unknown: undecided.filter(({ figures }) => figures.length === 0),
    hasHosts: new Set(panels.map(({ host }) => host)).size > 1,
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
