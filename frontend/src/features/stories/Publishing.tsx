import { useState } from 'react'
import { type StoryDraft, usePublishStory, useRequestPublication, useSetStoryTeam, useTeams, useUnpublishStory } from '../../api'
import { Button, Dialog, DialogActions, Notice, useToast } from '../../ui'
import styles from './stories.module.css'

type Props = { story: string; draft: StoryDraft; isSaved: boolean; onDraft: (draft: StoryDraft) => void }

/** Draft visibility and publication. */
export function Publishing({ story, draft, isSaved, onDraft }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const [failed, setFailed] = useState('')
  const teams = useTeams()
  const setTeam = useSetStoryTeam(story)
  const requestPublication = useRequestPublication(story)
  const publish = usePublishStory(story)
  const unpublish = useUnpublishStory(story)
  const toast = useToast()
  const run = (request: Promise<StoryDraft>, message: string) =>
    void request.then(
      (updated) => {
        setIsAsking(false)
        setFailed('')
        onDraft(updated)
        toast(message)
      },
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    )
  const isCurrent = draft.published_revision === draft.revision
  return (
    <>
      {draft.published_revision === null && (teams.data?.length ?? 0) > 0 && (
        <label className={styles.inline}>
          Visible to
          <select value={draft.team_id ?? ''} onChange={(event) => run(setTeam.mutateAsync(event.target.value || null), event.target.value ? 'Draft visible to the team.' : 'Draft visible only to you.')}>
            <option value="">Only me</option>
            {teams.data?.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {draft.may_publish ? (
        <Button look="primary" disabled={!isSaved || isCurrent} aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          {isCurrent ? 'Published' : draft.published_revision === null ? 'Publish' : 'Publish changes'}
        </Button>
      ) : (
        <Button look="primary" disabled={!isSaved || draft.is_offered || isCurrent} onClick={() => run(requestPublication.mutateAsync(undefined), 'Publication requested. Curators can see and publish the draft.')}>
          {isCurrent ? 'Published' : draft.is_offered ? 'Publication requested' : 'Request publication'}
        </Button>
      )}
      {draft.published_revision !== null && (
        <Button disabled={unpublish.isPending} onClick={() => run(unpublish.mutateAsync(undefined), 'Story unpublished.')}>
          Unpublish
        </Button>
      )}
      {failed && (
        <span role="alert" className={styles.alert}>
          {failed}
        </span>
      )}
      {isAsking && (
        <Dialog title="Publish this story?" onClose={() => setIsAsking(false)}>
          <p>The story becomes visible to everybody who can read the library. Nothing is redacted: names, addresses and log lines appear as written.</p>
          {draft.closed_cases.length > 0 && (
            <Notice what={`Restricted ${draft.closed_cases.length === 1 ? 'case' : 'cases'}: ${draft.closed_cases.join(', ')}`}>
              Quotes from {draft.closed_cases.length === 1 ? 'this case' : 'these cases'} become visible to everybody.
            </Notice>
          )}
          {failed && <Notice what="The story was not published.">{failed}</Notice>}
          <DialogActions>
            <Button look="primary" disabled={publish.isPending} onClick={() => run(publish.mutateAsync(draft.revision), 'Story published.')}>
              Publish for everybody
            </Button>
            <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
