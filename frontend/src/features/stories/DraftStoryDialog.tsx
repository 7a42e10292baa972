import { useNavigate } from '@tanstack/react-router'
import { useDraftCaseStory } from '../../api'
import { Button, Dialog, DialogActions, Notice } from '../../ui'

type Props = { caseId: string; onClose: () => void }

/** Creates a story draft from a case after confirmation and opens the editor. */
export function DraftStoryDialog({ caseId, onClose }: Props) {
  const create = useDraftCaseStory()
  const navigate = useNavigate()
  const draft = () => create.mutate(caseId, { onSuccess: ({ slug }) => void navigate({ to: '/library/$story/edit', params: { story: slug } }) })
  return (
    <Dialog title="Draft a story" onClose={onClose}>
      <p>
        Creates a draft with the findings, cited lines, kernels, fixes, timeline and notes of this case, and opens the editor. Only you see the draft until you share it with a team
        or request its publication.
      </p>
      {create.error && <Notice what="The draft was not created.">{create.error.message}</Notice>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={create.isPending} onClick={draft}>
          {create.isPending ? 'Drafting…' : 'Create draft'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
