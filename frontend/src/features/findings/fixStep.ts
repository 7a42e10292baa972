import type { Fix } from '../../api'

export type Step = 'look' | 'mitigate' | 'fix'

export const STEP_LABELS: Record<Step, string> = { look: 'Look', mitigate: 'Mitigate', fix: 'Fix' }

/** Whether a fix changes nothing: it reads, or it asks somebody. */
export const changesNothing = ({ undo }: Pick<Fix, 'undo'>) => undo === 'nothing was changed'

/** What a fix is in an incident: a command that only reads, a change of the running system, or one that lasts; null for advice without a command. */
export function stepOf(fix: Fix): Step | null {
  if (fix.effect === 'cure') return 'fix'
  if (changesNothing(fix)) return fix.run ? 'look' : null
  return fix.scope === 'runtime' ? 'mitigate' : 'fix'
}
