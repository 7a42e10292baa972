import { useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type StoryDraft, useOfferStory, usePublishStory, useSetStoryTeam, useTeams, useUnpublishStory } from '../../api'
import { Button, Notice, useToast } from '../../ui'
import styles from './stories.module.css'

type Props = { story: string; draft: StoryDraft; isSaved: boolean; onDraft: (draft: StoryDraft) => void }

/** Who sees the draft, and the way to everybody. */
export function Publishing({ story, draft, isSaved, onDraft }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [failed, setFailed] = useState('')
  const teams = useTeams()
  const setTeam = useSetStoryTeam(story)
  const offer = useOfferStory(story)
  const publish = usePublishStory(story)
  const unpublish = useUnpublishStory(story)
  const say = useToast()
  const act = (done: Promise<StoryDraft>, words: string) =>
    void done.then(
      (told) => {
        dialog.current?.close()
        setFailed('')
        onDraft(told)
        say(words)
      },
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    )
  const isCurrent = draft.published_revision === draft.revision
  return (
    <>
      {draft.published_revision === null && (teams.data?.length ?? 0) > 0 && (
        <label className={styles.inline}>
          Seen by
          <select value={draft.team_id ?? ''} onChange={(event) => act(setTeam.mutateAsync(event.target.value || null), event.target.value ? 'The team sees the draft.' : 'The draft is yours alone.')}>
            <option value="">me</option>
            {teams.data?.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {draft.may_publish ? (
        <Button look="primary" disabled={!isSaved || isCurrent} aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
          {isCurrent ? 'Published' : draft.published_revision === null ? 'Publish' : 'Publish the changes'}
        </Button>
      ) : (
        <Button look="primary" disabled={!isSaved || draft.is_offered || isCurrent} onClick={() => act(offer.mutateAsync(undefined), 'The curators see the draft now, and can publish it.')}>
          {isCurrent ? 'Published' : draft.is_offered ? 'Asked to publish' : 'Ask to publish'}
        </Button>
      )}
      {draft.published_revision !== null && (
        <Button disabled={unpublish.isPending} onClick={() => act(unpublish.mutateAsync(undefined), 'The story is a draft again.')}>
          Take back
        </Button>
      )}
      {failed && (
        <span role="alert" className={styles.alert}>
          {failed}
        </span>
      )}
      {createPortal(
        <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} closedby="any">
          <h2 id={id}>Publish this story?</h2>
          <p>Everybody who may read the library reads it from now on, and finds it there. Names, addresses and lines stand in it as you wrote them.</p>
          {draft.closed_cases.length > 0 && (
            <Notice what={`Not everybody sees ${draft.closed_cases.length === 1 ? 'case' : 'cases'} ${draft.closed_cases.join(', ')}.`}>
              What the text quotes of {draft.closed_cases.length === 1 ? 'it' : 'them'} everybody will read.
            </Notice>
          )}
          {failed && <Notice what="It was not published.">{failed}</Notice>}
          <div className={styles.actions}>
            <Button look="primary" disabled={publish.isPending} onClick={() => act(publish.mutateAsync(draft.revision), 'The story is in the library.')}>
              Publish for everybody
            </Button>
            <Button onClick={() => dialog.current?.close()}>Not yet</Button>
          </div>
        </dialog>,
        document.body,
      )}
    </>
  )
}
