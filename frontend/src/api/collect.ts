import { useMutation } from '@tanstack/react-query'
import { client, take } from './client'

/** Long enough for tonight; a token left in a shell's history is worth nothing tomorrow. */
export const COLLECT_DAYS = 1

/** Make a token that sends evidence to the case and reads nothing; its secret is told this once. */
export const useCollectToken = (caseId: string) =>
  useMutation({
    mutationFn: () =>
      take(client.POST('/api/v1/cases/{case_id}/tokens', { params: { path: { case_id: caseId } }, body: { name: 'collect.sh', days: COLLECT_DAYS } })),
  })
