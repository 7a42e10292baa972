import { useState } from 'react'
import type { StoryContent, StoryDraft } from '../../api'
import { Button, CopyButton, Notice } from '../../ui'
import { marked } from './kept'
import styles from './stories.module.css'

type Props = { theirs: StoryDraft; mine: StoryContent; onMine: () => Promise<unknown>; onTheirs: () => Promise<unknown> }

/** Two wrote at once: both texts, and which shall stand. Whatever is chosen, the other stays a revision. */
export function Conflict({ theirs, mine, onMine, onTheirs }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const settle = (act: () => Promise<unknown>) => {
    setIsBusy(true)
    void act()
      .catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)))
      .finally(() => setIsBusy(false))
  }
  return (
    <section className={styles.conflict} aria-label="Two texts" data-testid="conflict">
      <Notice what={`${theirs.editor} saved this story meanwhile.`}>
        Nothing is lost: your text is kept here and was not saved over theirs. Lines that only one has are marked.
      </Notice>
      {failed && <Notice what="That was not saved.">{failed} Your text is still kept in this browser.</Notice>}
      <div className={styles.two}>
        <Side name={`Theirs: ${theirs.title || 'Untitled'}`} text={theirs.text} other={mine.text} />
        <Side name={`Yours: ${mine.title || 'Untitled'}`} text={mine.text} other={theirs.text} />
      </div>
      <div className={styles.actions}>
        <Button look="primary" disabled={isBusy} onClick={() => settle(onMine)}>
          Put yours in its place
        </Button>
        <Button disabled={isBusy} onClick={() => settle(onTheirs)}>
          Go on with theirs
        </Button>
        <CopyButton label="Copy yours" text={mine.text} />
        <span className={styles.soft}>The one that gives way stays a revision.</span>
      </div>
    </section>
  )
}

function Side({ name, text, other }: { name: string; text: string; other: string }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {/* Long texts are scrolled by keyboard too. */}
      <pre tabIndex={0}>
        {marked(text, other).map(({ line, isOwn }, at) => (
          <span key={at} data-own={isOwn || undefined}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}
