import { type Evidence, usePlaceEvidence } from '../../api'
import { useToast } from '../../ui'
import { type PlaceChange, undoOf } from './places'

/** Sets host or phase of files, with an undo. */
export function usePlacing(caseId: string): { place: (items: readonly Evidence[], change: PlaceChange, what: string) => void; isPending: boolean } {
  const assign = usePlaceEvidence(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const undo = async (items: readonly Evidence[], change: PlaceChange) => {
    for (const body of undoOf(items, change)) await assign.mutateAsync(body)
  }
  const place = (items: readonly Evidence[], change: PlaceChange, what: string) => {
    const top = items.filter(({ parent_id }) => parent_id === null)
    // mutateAsync, because the callbacks of `mutate` do not run after this row unmounts.
    assign.mutateAsync({ evidence_ids: top.map(({ id }) => id), ...change }).then(
      () => toast(`${what}: ${change.host ?? change.phase ?? 'as suggested'}. Judging again.`, { undo: () => void undo(top, change).catch(showError) }),
      showError,
    )
  }
  return { place, isPending: assign.isPending }
}
