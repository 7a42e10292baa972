import type { Evidence, Phase, PhaseRow } from '../../api'
import type { Tone } from '../../ui'
import { VERDICT_LABELS } from '../../words'

export const PHASES: readonly Phase[] = ['before', 'during', 'after']

export const PHASE_LABELS: Record<Phase, string> = { before: 'Before the incident', during: 'During the incident', after: 'After the change' }

export const OUTCOMES: Record<PhaseRow['outcome'], [string, Tone]> = {
  cleared: ['Cleared', 'calm'],
  persists: ['Persists', 'match'],
  appeared: ['Appeared', 'match'],
  open: [VERDICT_LABELS.unknown, 'suspect'],
  quiet: [VERDICT_LABELS.no_match, 'plain'],
}

/** Evidence that is assigned to a phase together: one folder, one file or one archive. */
export type Group = { name: string; phase: Phase | 'several'; ids: string[] }

/** Groups top-level evidence by its captured folder, so that one capture is assigned at once. */
export function groupsOf(evidence: readonly Evidence[]): Group[] {
  const groups = new Map<string, Evidence[]>()
  for (const item of evidence.filter(({ parent_id }) => parent_id === null)) {
    const name = item.captured_path || item.filename
    const folder = name.includes('/') ? `${name.split('/')[0]}/` : name
    groups.set(folder, [...(groups.get(folder) ?? []), item])
  }
  return [...groups].map(([name, items]) => {
    const phases = new Set(items.map(({ phase }) => phase))
    return { name: items.length > 1 ? `${name} ${items.length} files` : name, phase: phases.size === 1 ? (items[0]?.phase as Phase) : 'several', ids: items.map(({ id }) => id) }
  })
}
