import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DraftSummary, EMPTY_STORY, isStoryFile, useCreateStory, useDrafts, useImportStory, useMe } from '../../api'
import { Button, Notice, RelativeTime, Tag } from '../../ui'
import styles from './stories.module.css'

/** Library actions: write a story, import one from Markdown, continue a draft. */
export function NewStory({ withDrafts }: { withDrafts: boolean }) {
  const me = useMe()
  const mayWrite = me.data !== undefined && me.data.role !== 'viewer'
  const drafts = useDrafts(mayWrite)
  const create = useCreateStory()
  const importStory = useImportStory()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [failed, setFailed] = useState<{ what: string; reason: string } | null>(null)
  const open = (slug: string) => void navigate({ to: '/library/$story/edit', params: { story: slug } })
  const run = (request: Promise<{ slug: string }>, what: string) => {
    setFailed(null)
    void request.then(
      ({ slug }) => open(slug),
      (error: unknown) => setFailed({ what, reason: error instanceof Error ? error.message : String(error) }),
    )
  }
  const importFile = (file: File | undefined) => {
    if (file) run(importStory.mutateAsync(file), `${file.name} could not be imported.`)
  }
  const drop = useEffectEvent((event: DragEvent) => {
    const file = event.dataTransfer?.files[0]
    if (!mayWrite || !file || !isStoryFile(file.name)) return
    event.preventDefault()
    importFile(file)
  })
  useEffect(() => {
    // A drop target must cancel `dragover` to receive the drop.
    const allowDrop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const onDrop = (event: DragEvent) => drop(event)
    window.addEventListener('dragover', allowDrop)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', allowDrop)
      window.removeEventListener('drop', onDrop)
    }
  }, [])
  if (!mayWrite) return null
  return (
    <>
      <span className={styles.actions}>
        <Button disabled={create.isPending} onClick={() => run(create.mutateAsync(EMPTY_STORY), 'The story was not created.')}>
          Write a story
        </Button>
        <Button disabled={importStory.isPending} onClick={() => field.current?.click()} title="Or drop the .md file anywhere on this page">
          Import Markdown
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          accept=".md,.markdown,text/markdown"
          data-testid="story-file"
          onChange={(event) => {
            importFile(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </span>
      {failed && <div className={styles.row}><Notice what={failed.what}>{failed.reason}</Notice></div>}
      {withDrafts && (drafts.data?.length ?? 0) > 0 && <Drafts drafts={drafts.data ?? []} />}
    </>
  )
}

function Drafts({ drafts }: { drafts: readonly DraftSummary[] }) {
  return (
    <details className={styles.row} open={drafts.length < 6} data-testid="drafts">
      <summary>
        Drafts ({drafts.length})
      </summary>
      <ul className={styles.drafts}>
        {drafts.map((draft) => (
          <li key={draft.number}>
            <Link to="/library/$story/edit" params={{ story: draft.slug }}>
              {draft.title || 'Untitled'}
            </Link>{' '}
            <span className={styles.soft}>
              {draft.is_own ? 'by you' : `by ${draft.author}`}, changed <RelativeTime at={draft.updated_at} />
              {draft.editor !== draft.author && ` by ${draft.editor}`}
            </span>{' '}
            {draft.published_revision !== null && <Tag>published, unpublished changes</Tag>} {draft.is_offered && <Tag tone="suspect">publication requested</Tag>}
          </li>
        ))}
      </ul>
    </details>
  )
}
