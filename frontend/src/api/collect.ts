import { useMutation } from '@tanstack/react-query'
import { client, take } from './client'

/** Token lifetime in days: short, since the token may stay in shell history. */
export const COLLECT_DAYS = 1

/** Create an upload-only token for the case; the secret is returned only once. */
export const useCollectToken = (caseId: string) =>
  useMutation({
    mutationFn: () =>
      take(client.POST('/api/v1/cases/{case_id}/tokens', { params: { path: { case_id: caseId } }, body: { name: 'collect.sh', days: COLLECT_DAYS } })),
  })
