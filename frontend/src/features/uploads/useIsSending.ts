import { useSendings } from '../../api'

const ACTIVE_STAGES = new Set(['waiting', 'sending', 'away', 'sent'])

/** Whether this tab has uploads to the case that are not listed as evidence yet. */
export function useIsSending(caseNumber: number | undefined): boolean {
  return useSendings(caseNumber).some(({ stage }) => ACTIVE_STAGES.has(stage))
}
