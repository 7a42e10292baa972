import { lazy, Suspense, useId, useState } from 'react'
import { type SharedHandoff, sharedFile, useAcceptShare, useAnswerShare, useSharedPicture, useWriteToSender } from '../../api'
import { Button, importWithRetry, Notice, save, Tag, useToast } from '../../ui'
import styles from './handoffs.module.css'
import { citationIn, parted } from './citations'
import { Messages } from './Messages'
import { SharedFile } from './SharedFile'
import { Steps } from './Steps'
import { bytes, lines, STATES } from './labels'

const Markdown = lazy(() => importWithRetry(() => import('../markdown')).then((module) => ({ default: module.Markdown })))

/** `staleReason` is the error that stopped updates; "" while the page is up to date. */
type Props = { pass: string; handoff: SharedHandoff; staleReason: string }

/** A handoff, recipient's view: what is asked, found and to do, then flame graphs, then everything. */
export function SharedView({ pass, handoff, staleReason }: Props) {
  const accept = useAcceptShare(pass)
  const sendMessage = useWriteToSender(pass)
  const answer = useAnswerShare(pass)
  const toast = useToast()
  const nameId = useId()
  const [name, setName] = useState('')
  const [open, setOpen] = useState<{ number: number; line?: number }>()
  const { first, rest } = parted(handoff.summary)
  const citation = (text: string) => {
    const cited = citationIn(text, handoff.pieces)
    return (
      cited && (
        <button type="button" className={styles.link} onClick={() => setOpen({ number: cited.file.number, line: cited.line })}>
          {text}
        </button>
      )
    )
  }
  const download = (path: 'bundle' | 'case.html', filename: string) =>
    void sharedFile(pass, path).then(
      (file) => save(file, filename),
      (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true }),
    )
  const isOpen = handoff.state !== 'closed'
  const author = name.trim() || handoff.recipient
  return (
    <article className={styles.shared} data-testid="shared" data-state={handoff.state}>
      <header className={styles.head}>
        <h1>{handoff.title}</h1>
        <Tag tone={STATES[handoff.state].tone}>{STATES[handoff.state].label}</Tag>
        <span className={styles.soft}>
          from {handoff.sender}, expires {handoff.expires_at.slice(0, 10)}
        </span>
      </header>
      {staleReason && <Notice what="This page is no longer up to date.">{staleReason} Unsent text is kept.</Notice>}
      <Steps state={handoff.state} />
      <p className={styles.actions}>
        {handoff.state === 'offered' && (
          <>
            <label htmlFor={nameId}>Your name</label>
            <input id={nameId} value={name} maxLength={200} placeholder={handoff.recipient} onChange={(event) => setName(event.target.value)} />
            <Button look="primary" disabled={accept.isPending} onClick={() => accept.mutate(author)}>
              Accept case
            </Button>
          </>
        )}
        <Button onClick={() => download('bundle', 'handoff.casebook.tar.zst')}>Download bundle ({bytes(handoff.bundle_bytes)})</Button>
        <Button onClick={() => download('case.html', 'case.html')}>Download offline page</Button>
      </p>
      {accept.error && <Notice what="The handoff was not accepted.">{accept.error.message}</Notice>}
      <Suspense fallback={null}>
        <Markdown text={first} isBody codeOf={citation} />
      </Suspense>
      {handoff.pictures.map((picture) => (
        <Picture key={picture.number} pass={pass} number={picture.number} title={picture.title} />
      ))}
      <Suspense fallback={null}>{rest && <Markdown text={rest} isBody codeOf={citation} />}</Suspense>
      <section aria-label="Evidence">
        <h2>Evidence, redacted</h2>
        <p className={styles.soft}>
          SHA-256 of the bundle: <code>{handoff.bundle_sha256}</code>; <code>casebook bundle verify</code> checks it.
        </p>
        <ul className={styles.list}>
          {handoff.pieces.map((file) => (
            <li key={file.number}>
              <button type="button" className={styles.link} aria-expanded={open?.number === file.number} onClick={() => setOpen(open?.number === file.number ? undefined : { number: file.number })}>
                {file.path.replace(/^evidence\/\d+\//, '')}
              </button>{' '}
              <span className={styles.soft}>
                {lines(file.lines)}, {bytes(file.size_bytes)}
              </span>
              {open?.number === file.number && <SharedFile key={open.line} pass={pass} file={file} line={open.line} />}
            </li>
          ))}
        </ul>
      </section>
      <h2>Messages</h2>
      <Messages
        messages={handoff.messages}
        canWrite={isOpen}
        label={`Message to ${handoff.sender}`}
        hint="The sender sees it in the case."
        onSend={(text) => sendMessage.mutateAsync({ name: author, text })}
        onAnswer={(text) => answer.mutateAsync({ name: author, text })}
      />
    </article>
  )
}

function Picture({ pass, number, title }: { pass: string; number: number; title: string }) {
  const picture = useSharedPicture(pass, number)
  if (picture.error) return <Notice what={`The flame graph ${title} could not be loaded.`}>{picture.error.message}</Notice>
  return (
    <div className={styles.figure} tabIndex={0} role="region" aria-label={`Flame graph: ${title}`}>
      <p>{title}</p>
      {picture.data && <img src={picture.data} alt={`Flame graph of ${title}; the bundle has its stacks as text`} />}
    </div>
  )
}
