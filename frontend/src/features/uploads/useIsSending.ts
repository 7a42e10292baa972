import { useSendings } from '../../api'

const AT_WORK = new Set(['waiting', 'sending', 'away', 'sent'])

/** Whether this tab sends something to the case that its page does not show as evidence yet. */
export function useIsSending(caseNumber: number | undefined): boolean {
  return useSendings(caseNumber).some(({ stage }) => AT_WORK.has(stage))
}
