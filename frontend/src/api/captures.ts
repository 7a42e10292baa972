import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { CaptureRun } from './types'

const of = (caseId: string) => ({ path: { case_id: caseId } })
const one = (runId: string) => ({ path: { run_id: runId } })

/** What came of a capture: text from the terminal, files, or nothing yet. */
export type CaptureResult = { text: string; files: readonly File[] }

/** The captures of a case that somebody ran. */
export function useCaptureRuns(caseId: string) {
  return useQuery({
    queryKey: keys.captures(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/captures', { params: { ...of(caseId), query } })),
  })
}

/** Add one file as it is; the ids of the evidence it became. */
export async function sendBody(caseId: string, filename: string, content: Blob): Promise<string[]> {
  const params = { path: { case_id: caseId, filename } }
  const body = content as unknown as string
  const received = await take(client.PUT('/api/v1/cases/{case_id}/evidence/{filename}', { params, body, bodySerializer: () => content, headers: { 'Content-Type': 'application/octet-stream' } }))
  return received.evidence.map(({ id }) => id)
}

async function sendResult(caseId: string, { text, files }: CaptureResult): Promise<string[]> {
  const ids: string[] = []
  if (text.trim() !== '') {
    const pasted = await take(client.POST('/api/v1/cases/{case_id}/paste', { params: of(caseId), body: { text, captured_path: '' } }))
    ids.push(...pasted.evidence.map(({ id }) => id))
  }
  for (const file of files) ids.push(...(await sendBody(caseId, file.name, file)))
  return ids
}

/** Add what a capture brought first, then note that it was run: a result that is refused leaves no run behind. */
export function useNoteCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ capture, ranAt, result }: { capture: string; ranAt: string | null; result: CaptureResult }): Promise<CaptureRun> => {
      const evidence_ids = await sendResult(caseId, result)
      return take(client.POST('/api/v1/cases/{case_id}/captures', { params: of(caseId), body: { capture, ran_at: ranAt, evidence_ids } }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Add what came of a run that was noted before. */
export function useAddResult(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ run, result }: { run: CaptureRun; result: CaptureResult }): Promise<CaptureRun> => {
      const added = await sendResult(caseId, result)
      const evidence_ids = [...run.results.map(({ evidence_id }) => evidence_id), ...added]
      return take(client.PUT('/api/v1/captures/{run_id}', { params: one(run.id), body: { evidence_ids } }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

export function useTakeBackCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) => take(client.DELETE('/api/v1/captures/{run_id}', { params: one(runId) })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.captures(caseId) }),
  })
}

export function useRestoreCapture(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) => take(client.POST('/api/v1/captures/{run_id}/restore', { params: one(runId) })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.captures(caseId) }),
  })
}
