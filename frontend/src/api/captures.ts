import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { CaptureRun } from './types'

const casePath = (caseId: string) => ({ path: { case_id: caseId } })
const runPath = (runId: string) => ({ path: { run_id: runId } })

/** Result of a capture: terminal text and files; both may be empty. */
export type CaptureResult = { text: string; files: readonly File[] }

/** Recorded runs of captures in a case. */
export function useCaptureRuns(caseId: string) {
  return useQuery({
    queryKey: keys.captures(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/captures', { params: { ...casePath(caseId), query } })),
  })
}

/** Upload one file in a single request. Returns the ids of the new evidence. */
export async function sendBody(caseId: string, filename: string, content: Blob): Promise<string[]> {
  const params = { path: { case_id: caseId, filename } }
  const body = content as unknown as string
  const response = await take(client.PUT('/api/v1/cases/{case_id}/evidence/{filename}', { params, body, bodySerializer: () => content, headers: { 'Content-Type': 'application/octet-stream' } }))
  return response.evidence.map(({ id }) => id)
}

async function sendResult(caseId: string, { text, files }: CaptureResult): Promise<string[]> {
  const ids: string[] = []
  if (text.trim() !== '') {
    const pasted = await take(client.POST('/api/v1/cases/{case_id}/paste', { params: casePath(caseId), body: { text, captured_path: '' } }))
    ids.push(...pasted.evidence.map(({ id }) => id))
  }
  for (const file of files) ids.push(...(await sendBody(caseId, file.name, file)))
  return ids
}

/** Upload the result of a capture, then record the run. A rejected upload records no run. */
export function useRecordCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ capture, ranAt, result }: { capture: string; ranAt: string | null; result: CaptureResult }): Promise<CaptureRun> => {
      const evidence_ids = await sendResult(caseId, result)
      return take(client.POST('/api/v1/cases/{case_id}/captures', { params: casePath(caseId), body: { capture, ran_at: ranAt, evidence_ids } }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Add a result to a recorded run. */
export function useAddResult(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ run, result }: { run: CaptureRun; result: CaptureResult }): Promise<CaptureRun> => {
      const added = await sendResult(caseId, result)
      const evidence_ids = [...run.results.map(({ evidence_id }) => evidence_id), ...added]
      return take(client.PUT('/api/v1/captures/{run_id}', { params: runPath(run.id), body: { evidence_ids } }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Add the output of a capture that was run after a change, as evidence of that phase on the host of the finding. */
export function useAddAfter(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ host, result }: { host: string; result: CaptureResult }): Promise<void> => {
      const evidence_ids = await sendResult(caseId, result)
      const body = { evidence_ids, phase: 'after' as const, ...(host && { host }) }
      await take(client.PATCH('/api/v1/cases/{case_id}/evidence', { params: casePath(caseId), body }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

export function useDeleteCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) => take(client.DELETE('/api/v1/captures/{run_id}', { params: runPath(runId) })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.captures(caseId) }),
  })
}

export function useRestoreCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) => take(client.POST('/api/v1/captures/{run_id}/restore', { params: runPath(runId) })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.captures(caseId) }),
  })
}
