import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { restoreRevision, type StoryDraft, useDeleteStory, useDraft, useMe, useRestoreStory } from '../../api'
import { Button, Notice, PagePending, Segments, useToast } from '../../ui'
import { Conflict } from './Conflict'
import { draftKey } from './draftStorage'
import { Fields } from './Fields'
import { Publishing } from './Publishing'
import { Revisions } from './Revisions'
import styles from './stories.module.css'
import { type SaveState, useAutosave } from './useAutosave'

const MarkdownEditor = lazy(() => import('./MarkdownEditor'))
const Markdown = lazy(() => import('../markdown').then((feature) => ({ default: feature.Markdown })))

export type EditorSearch = { show?: 'preview' | 'revisions'; revision?: number }
type Props = { story: string; search: EditorSearch; onSearch: (search: EditorSearch) => void; onDeleted: () => void; onBack: () => void }

/** Story editor: text, preview and revisions. */
export function StoryEditorPage({ story, ...rest }: Props) {
  const draft = useDraft(story)
  const me = useMe()
  if (draft.error) {
    return (
      <div className={styles.page}>
        <Notice what="The draft could not be loaded." retry={() => void draft.refetch()}>
          {draft.error.message} Unsaved text is kept in this browser.
        </Notice>
      </div>
    )
  }
  if (!draft.data || !me.data) return <PagePending />
  return <Editor key={draft.data.id} story={String(draft.data.number)} opened={draft.data} account={me.data.id} {...rest} />
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function Editor({ story, opened, account, search, onSearch, onDeleted, onBack }: Props & { opened: StoryDraft; account: string }) {
  const { draft, content, saveState, isStored, change, save, show, setDraft, keepMine, takeTheirs } = useAutosave(story, opened, draftKey(account, story))
  const toast = useToast()
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
        toast('Story deleted.', { undo: () => void restore.mutateAsync(undefined).then(onBack, (error: unknown) => toast(messageOf(error), { isError: true })) })
        onDeleted()
      },
      (error: unknown) => setFailed(messageOf(error)),
    )
  const restoreTo = (revision: number) =>
    void restoreRevision(story, draft.version, revision).then(
      (restored) => {
        show(restored)
        onSearch({ show: 'revisions' })
        toast(`Revision ${revision} restored as revision ${restored.revision}.`)
      },
      (error: unknown) => setFailed(messageOf(error)),
    )
  const part = search.show ?? 'write'
  return (
    <div className={styles.page} data-testid="story-editor" data-save-state={saveState.kind} data-number={draft.number} data-revision={draft.revision}>
      <header className={styles.editorHead}>
        <h1 className={styles.meta}>
          <Link to="/library">Library</Link> · Story {draft.number} by {draft.author}
          {draft.published_revision !== null && (
            <>
              {' · '}
              <Link to="/library/$story" params={{ story: draft.slug }}>
                Published version
              </Link>
            </>
          )}
        </h1>
        <SaveIndicator saveState={saveState} isStored={isStored} onSave={() => void save()} />
        <span className={styles.actions}>
          <Publishing story={story} draft={draft} isSaved={saveState.kind === 'saved'} onDraft={setDraft} />
          <Button disabled={remove.isPending} onClick={discard}>
            Delete
          </Button>
        </span>
      </header>
      {failed && <Notice what="The story could not be changed.">{failed}</Notice>}
      {saveState.kind === 'conflict' && <Conflict theirs={saveState.theirs} mine={content} onMine={() => keepMine(saveState.theirs)} onTheirs={() => takeTheirs(saveState.theirs)} />}
      <Fields content={content} draft={draft} onChange={change} />
      <Segments
        label="View"
        value={part}
        options={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
          { value: 'revisions', label: 'Revisions' },
        ]}
        onChange={(next) => onSearch(next === 'write' ? {} : { show: next })}
      />
      {part === 'revisions' ? (
        <Revisions story={story} latest={draft.revision} shown={search.revision} isSaved={saveState.kind === 'saved'} onShow={(revision) => onSearch({ show: 'revisions', revision })} onRestore={restoreTo} />
      ) : (
        <div className={styles.writing} data-part={part}>
          <div className={styles.write}>
            <Suspense fallback={<p role="status">Loading editor…</p>}>
              <MarkdownEditor label="Text of the story, in Markdown" value={content.text} onChange={(text) => change({ text })} onSave={() => void save()} />
            </Suspense>
          </div>
          <section className={styles.preview} aria-label="Preview" data-testid="story-preview">
            <Suspense fallback={<p role="status">Loading preview…</p>}>
              {preview.trim() ? <Markdown text={preview} isBody /> : <p className={styles.soft}>Preview of the published story. Start with the first symptom.</p>}
            </Suspense>
          </section>
        </div>
      )}
    </div>
  )
}

/** Save state of the draft. */
function SaveIndicator({ saveState, isStored, onSave }: { saveState: SaveState; isStored: boolean; onSave: () => void }) {
  const local = isStored ? 'Stored in this browser' : 'This browser cannot store drafts'
  const message = {
    saved: 'Saved',
    editing: 'Unsaved changes',
    saving: 'Saving…',
    offline: `Not saved: the server does not respond. ${local}; retrying.`,
    rejected: `Not saved. ${local}. ${saveState.kind === 'rejected' ? saveState.reason : ''}`,
    conflict: `Not saved: edit conflict. ${local}.`,
  }[saveState.kind]
  return (
    <p className={styles.saved} role="status" data-save-state={saveState.kind}>
      {message} {(saveState.kind === 'offline' || saveState.kind === 'rejected') && <Button onClick={onSave}>Save now</Button>}
    </p>
  )
}
