import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DraftSummary, EMPTY_STORY, isStoryFile, useBeginStory, useDrafts, useImportStory, useMe } from '../../api'
import { Ago, Button, Notice, Tag } from '../../ui'
import styles from './stories.module.css'

/** On the page of the library: begin a story, bring one as a file, go on with a draft. */
export function BeginStory({ withDrafts }: { withDrafts: boolean }) {
  const me = useMe()
  const mayWrite = me.data !== undefined && me.data.role !== 'viewer'
  const drafts = useDrafts(mayWrite)
  const begin = useBeginStory()
  const bring = useImportStory()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [failed, setFailed] = useState<{ what: string; why: string } | null>(null)
  const open = (slug: string) => void navigate({ to: '/library/$story/edit', params: { story: slug } })
  const act = (told: Promise<{ slug: string }>, what: string) => {
    setFailed(null)
    void told.then(
      ({ slug }) => open(slug),
      (error: unknown) => setFailed({ what, why: error instanceof Error ? error.message : String(error) }),
    )
  }
  const take = (file: File | undefined) => {
    if (file) act(bring.mutateAsync(file), `${file.name} is no story yet.`)
  }
  const drop = useEffectEvent((event: DragEvent) => {
    const file = event.dataTransfer?.files[0]
    if (!mayWrite || !file || !isStoryFile(file.name)) return
    event.preventDefault()
    take(file)
  })
  useEffect(() => {
    // A page that lets a drag over it be dropped has to say so while it hovers.
    const hover = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const land = (event: DragEvent) => drop(event)
    window.addEventListener('dragover', hover)
    window.addEventListener('drop', land)
    return () => {
      window.removeEventListener('dragover', hover)
      window.removeEventListener('drop', land)
    }
  }, [])
  if (!mayWrite) return null
  return (
    <>
      <span className={styles.actions}>
        <Button disabled={begin.isPending} onClick={() => act(begin.mutateAsync(EMPTY_STORY), 'The story was not begun.')}>
          Write a story
        </Button>
        <Button disabled={bring.isPending} onClick={() => field.current?.click()} title="Or drop the .md file anywhere on this page">
          Import Markdown
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          accept=".md,.markdown,text/markdown"
          data-testid="story-file"
          onChange={(event) => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </span>
      {failed && <div className={styles.row}><Notice what={failed.what}>{failed.why}</Notice></div>}
      {withDrafts && (drafts.data?.length ?? 0) > 0 && <Drafts drafts={drafts.data ?? []} />}
    </>
  )
}

function Drafts({ drafts }: { drafts: readonly DraftSummary[] }) {
  return (
    <details className={styles.row} open={drafts.length < 6} data-testid="drafts">
      <summary>
        {drafts.length === 1 ? 'One draft' : `${drafts.length} drafts`} that you see
      </summary>
      <ul className={styles.drafts}>
        {drafts.map((draft) => (
          <li key={draft.number}>
            <Link to="/library/$story/edit" params={{ story: draft.slug }}>
              {draft.title || 'Untitled'}
            </Link>{' '}
            <span className={styles.soft}>
              {draft.is_own ? 'yours' : `by ${draft.author}`}, changed <Ago at={draft.updated_at} />
              {draft.editor !== draft.author && ` by ${draft.editor}`}
            </span>{' '}
            {draft.published_revision !== null && <Tag>published, with later changes</Tag>} {draft.is_offered && <Tag tone="suspect">to be published</Tag>}
          </li>
        ))}
      </ul>
    </details>
  )
}
