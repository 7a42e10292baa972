import type { Phase, PhaseRow } from '../../api'
import type { Tone } from '../../ui'
import { VERDICT_LABELS } from '../../words'

export const PHASE_LABELS: Record<Phase, string> = { before: 'Before the incident', during: 'During the incident', after: 'After the change' }

export const OUTCOMES: Record<PhaseRow['outcome'], [string, Tone]> = {
  cleared: ['Cleared', 'calm'],
  persists: ['Persists', 'match'],
  appeared: ['Appeared', 'match'],
  open: [VERDICT_LABELS.unknown, 'suspect'],
  quiet: [VERDICT_LABELS.no_match, 'plain'],
}
