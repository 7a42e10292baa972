import { useState } from 'react'
import { type Case, type CaseUpdate, Problem, useFetchCase, useUpdateCase } from '../../api'
import { type Field, overwritten } from './edits'

const CHANGED_SINCE = 412

/** Two wrote the same fields of a case at once; nothing of either is lost yet. */
export type Conflict = { fields: readonly Field[]; theirs: Case; mine: CaseUpdate }

/** Changes a case as it was when somebody began to; what others wrote into the same fields since is not overwritten. */
export function useEdits(caseId: string) {
  const update = useUpdateCase(caseId)
  const read = useFetchCase(caseId)
  const [conflict, setConflict] = useState<Conflict>()

  /** Returns the case as it is then, or nothing when somebody must say first whose text shall stand. */
  const edit = async (base: Case, mine: CaseUpdate): Promise<Case | undefined> => {
    let seen = base
    for (;;) {
      try {
        return await update.mutateAsync({ body: mine, version: seen.version })
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== CHANGED_SINCE) throw error
        const theirs = await read()
        if (theirs.version === seen.version) throw error
        const fields = overwritten(base, theirs, mine)
        if (fields.length > 0) {
          setConflict({ fields, theirs, mine })
          return undefined
        }
        seen = theirs
      }
    }
  }
  return { edit, isSaving: update.isPending, conflict, settle: () => setConflict(undefined) }
}
