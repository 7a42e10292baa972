import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { restoreRevision, type StoryDraft, useDeleteStory, useDraft, useMe, useRestoreStory } from '../../api'
import { Button, Notice, Segments, useToast } from '../../ui'
import { Conflict } from './Conflict'
import { Fields } from './Fields'
import { keptKey } from './kept'
import { Publishing } from './Publishing'
import { Revisions } from './Revisions'
import styles from './stories.module.css'
import { type Standing, useAutosave } from './useAutosave'

const MarkdownEditor = lazy(() => import('./MarkdownEditor'))
const Markdown = lazy(() => import('../markdown').then((room) => ({ default: room.Markdown })))

export type EditorSearch = { show?: 'preview' | 'revisions'; revision?: number }
type Props = { story: string; search: EditorSearch; onSearch: (search: EditorSearch) => void; onGone: () => void; onBack: () => void }

/** Writing a story: what it says, how it will look, what it said before. */
export function StoryEditorPage({ story, ...rest }: Props) {
  const draft = useDraft(story)
  const me = useMe()
  if (draft.error) {
    return (
      <div className={styles.page}>
        <Notice what="This draft cannot be opened." retry={() => void draft.refetch()}>
          {draft.error.message} What you typed is kept in this browser.
        </Notice>
      </div>
    )
  }
  if (!draft.data || !me.data) return <div className={styles.page} role="status" aria-label="Loading the draft" />
  return <Editor key={draft.data.id} story={String(draft.data.number)} opened={draft.data} account={me.data.id} {...rest} />
}

const worded = (error: unknown) => (error instanceof Error ? error.message : String(error))

function Editor({ story, opened, account, search, onSearch, onGone, onBack }: Props & { opened: StoryDraft; account: string }) {
  const { draft, content, standing, isKept, change, save, show, setDraft, keepMine, takeTheirs } = useAutosave(story, opened, keptKey(account, story))
  const say = useToast()
  const remove = useDeleteStory(story)
  const restore = useRestoreStory(story)
  const preview = useDeferredValue(content.text)
  const [failed, setFailed] = useState('')
  useEffect(() => {
    document.title = `${content.title || 'Untitled'} · Casebook`
  }, [content.title])
  const discard = () =>
    void remove.mutateAsync(undefined).then(
      () => {
        say('The story is deleted.', { undo: () => void restore.mutateAsync(undefined).then(onBack, (error: unknown) => say(worded(error), { isError: true })) })
        onGone()
      },
      (error: unknown) => setFailed(worded(error)),
    )
  const bringBack = (revision: number) =>
    void restoreRevision(story, draft.version, revision).then(
      (told) => {
        show(told)
        onSearch({ show: 'revisions' })
        say(`Revision ${revision} is back, as revision ${told.revision}.`)
      },
      (error: unknown) => setFailed(worded(error)),
    )
  const part = search.show ?? 'write'
  return (
    <div className={styles.page} data-testid="story-editor" data-standing={standing.is} data-number={draft.number} data-revision={draft.revision}>
      <header className={styles.editorHead}>
        <h1 className={styles.meta}>
          <Link to="/library">Library</Link> · Story {draft.number} by {draft.author}
          {draft.published_revision !== null && (
            <>
              {' · '}
              <Link to="/library/$story" params={{ story: draft.slug }}>
                as everybody reads it
              </Link>
            </>
          )}
        </h1>
        <Saved standing={standing} isKept={isKept} onSave={() => void save()} />
        <span className={styles.actions}>
          <Publishing story={story} draft={draft} isSaved={standing.is === 'saved'} onDraft={setDraft} />
          <Button disabled={remove.isPending} onClick={discard}>
            Delete
          </Button>
        </span>
      </header>
      {failed && <Notice what="That did not work.">{failed}</Notice>}
      {standing.is === 'conflict' && <Conflict theirs={standing.theirs} mine={content} onMine={() => keepMine(standing.theirs)} onTheirs={() => takeTheirs(standing.theirs)} />}
      <Fields content={content} draft={draft} onChange={change} />
      <Segments
        label="What is shown"
        value={part}
        options={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
          { value: 'revisions', label: 'Revisions' },
        ]}
        onChange={(next) => onSearch(next === 'write' ? {} : { show: next })}
      />
      {part === 'revisions' ? (
        <Revisions story={story} latest={draft.revision} shown={search.revision} isSaved={standing.is === 'saved'} onShow={(revision) => onSearch({ show: 'revisions', revision })} onRestore={bringBack} />
      ) : (
        <div className={styles.writing} data-part={part}>
          <div className={styles.write}>
            <Suspense fallback={<p role="status">Loading the editor…</p>}>
              <MarkdownEditor label="Text of the story, in Markdown" value={content.text} onChange={(text) => change({ text })} onSave={() => void save()} />
            </Suspense>
          </div>
          <section className={styles.preview} aria-label="Preview" data-testid="story-preview">
            <Suspense fallback={<p role="status">Loading the preview…</p>}>
              {preview.trim() ? <Markdown text={preview} isBody /> : <p className={styles.soft}>Here is what readers will see. Begin with what somebody noticed first.</p>}
            </Suspense>
          </section>
        </div>
      )}
    </div>
  )
}

/** Whether what is typed is safe, and where. */
function Saved({ standing, isKept, onSave }: { standing: Standing; isKept: boolean; onSave: () => void }) {
  const here = isKept ? 'Kept in this browser' : 'This browser keeps no drafts'
  const words = {
    saved: 'Saved',
    writing: 'Writing…',
    saving: 'Saving…',
    away: `Not saved: the server does not answer. ${here}; trying again.`,
    refused: `Not saved. ${here}. ${standing.is === 'refused' ? standing.why : ''}`,
    conflict: `Not saved over theirs. ${here}.`,
  }[standing.is]
  return (
    <p className={styles.saved} role="status" data-standing={standing.is}>
      {words} {(standing.is === 'away' || standing.is === 'refused') && <Button onClick={onSave}>Save now</Button>}
    </p>
  )
}
