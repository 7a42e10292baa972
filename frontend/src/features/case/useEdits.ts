import { useState } from 'react'
import { type Case, type CaseUpdate, Problem, useFetchCase, useUpdateCase } from '../../api'
import { conflictingFields, type Field } from './edits'

const PRECONDITION_FAILED = 412

/** Concurrent changes of the same fields; neither is lost. */
export type Conflict = { fields: readonly Field[]; theirs: Case; mine: CaseUpdate }

/** Edits a case with optimistic locking: concurrent changes are merged, or reported when they touch the same fields. */
export function useEdits(caseId: string) {
  const update = useUpdateCase(caseId)
  const read = useFetchCase(caseId)
  const [conflict, setConflict] = useState<Conflict>()

  /** Returns the updated case, or undefined when there is a conflict to resolve. */
  const edit = async (base: Case, mine: CaseUpdate): Promise<Case | undefined> => {
    let current = base
    for (;;) {
      try {
        return await update.mutateAsync({ body: mine, version: current.version })
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== PRECONDITION_FAILED) throw error
        const theirs = await read()
        if (theirs.version === current.version) throw error
        const fields = conflictingFields(base, theirs, mine)
        if (fields.length > 0) {
          setConflict({ fields, theirs, mine })
          return undefined
        }
        current = theirs
      }
    }
  }
  return { edit, isSaving: update.isPending, conflict, settle: () => setConflict(undefined) }
}
