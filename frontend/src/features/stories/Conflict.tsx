import { useState } from 'react'
import type { StoryContent, StoryDraft } from '../../api'
import { Button, CopyButton, Notice } from '../../ui'
import { compareLines } from './draftStorage'
import styles from './stories.module.css'

type Props = { theirs: StoryDraft; mine: StoryContent; onMine: () => Promise<unknown>; onTheirs: () => Promise<unknown> }

/** Edit conflict: shows both versions and lets the author choose. The other version is kept as a revision. */
export function Conflict({ theirs, mine, onMine, onTheirs }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const resolve = (action: () => Promise<unknown>) => {
    setIsBusy(true)
    void action()
      .catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)))
      .finally(() => setIsBusy(false))
  }
  return (
    <section className={styles.conflict} aria-label="Edit conflict" data-testid="conflict">
      <Notice what={`${theirs.editor} saved this story while you were editing.`}>
        Your text is kept in this browser and did not overwrite theirs. Lines that differ are marked.
      </Notice>
      {failed && <Notice what="The text was not saved.">{failed} Your text is kept in this browser.</Notice>}
      <div className={styles.two}>
        <Side name={`Theirs: ${theirs.title || 'Untitled'}`} text={theirs.text} other={mine.text} />
        <Side name={`Mine: ${mine.title || 'Untitled'}`} text={mine.text} other={theirs.text} />
      </div>
      <div className={styles.actions}>
        <Button look="primary" disabled={isBusy} onClick={() => resolve(onMine)}>
          Keep mine
        </Button>
        <Button disabled={isBusy} onClick={() => resolve(onTheirs)}>
          Take theirs
        </Button>
        <CopyButton label="Copy mine" text={mine.text} />
        <span className={styles.soft}>The other version is kept as a revision.</span>
      </div>
    </section>
  )
}

function Side({ name, text, other }: { name: string; text: string; other: string }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {/* Focusable for keyboard scrolling. */}
      <pre tabIndex={0}>
        {compareLines(text, other).map(({ line, isOwn }, at) => (
          <span key={at} data-own={isOwn || undefined}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}
