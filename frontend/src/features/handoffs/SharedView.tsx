import { useId, useState } from 'react'
import { type SharedHandoff, sharedFile, useAcceptShare, useAnswerShare, useSharedPicture, useWriteToSender } from '../../api'
import { Button, Notice, save, Tag, useToast } from '../../ui'
import { Markdown } from '../markdown'
import styles from './handoffs.module.css'
import { Messages } from './Messages'
import { SharedFile } from './SharedFile'
import { Steps } from './Steps'
import { bytes, lines, STATES } from './words'

/** The summary begins with the title, which stands on top of the page already. */
const TITLE = /^# .*\n+/

/** `whyOld` says why what is shown is no longer asked for anew; "" while it is. */
type Props = { pass: string; handoff: SharedHandoff; whyOld: string }

/** A handed-over case, read by whoever it was handed to: what it is, its graphs, its files, the way to answer. */
export function SharedView({ pass, handoff, whyOld }: Props) {
  const accept = useAcceptShare(pass)
  const write = useWriteToSender(pass)
  const answer = useAnswerShare(pass)
  const say = useToast()
  const nameId = useId()
  const [name, setName] = useState('')
  const [shown, setShown] = useState<number>()
  const take = (path: 'bundle' | 'case.html', filename: string) =>
    void sharedFile(pass, path).then(
      (file) => save(file, filename),
      (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true }),
    )
  const isOpen = handoff.state !== 'closed'
  const who = name.trim() || handoff.recipient
  return (
    <article className={styles.shared} data-testid="shared" data-state={handoff.state}>
      <header className={styles.head}>
        <h1>{handoff.title}</h1>
        <Tag tone={STATES[handoff.state].tone}>{STATES[handoff.state].word}</Tag>
        <span className={styles.soft}>
          from {handoff.sender}, open until {handoff.expires_at.slice(0, 10)}
        </span>
      </header>
      {whyOld && <Notice what="What you see is no longer kept up to date.">{whyOld} What you wrote is still in its box.</Notice>}
      <Steps state={handoff.state} />
      <p className={styles.actions}>
        {handoff.state === 'offered' && (
          <>
            <label htmlFor={nameId}>Your name</label>
            <input id={nameId} value={name} maxLength={200} placeholder={handoff.recipient} onChange={(event) => setName(event.target.value)} />
            <Button look="primary" disabled={accept.isPending} onClick={() => accept.mutate(who)}>
              Accept the case
            </Button>
          </>
        )}
        <Button onClick={() => take('bundle', 'handoff.casebook.tar.zst')}>Download bundle ({bytes(handoff.bundle_bytes)})</Button>
        <Button onClick={() => take('case.html', 'case.html')}>Page that needs no network</Button>
      </p>
      <p className={styles.soft}>
        SHA-256 of the bundle: <code>{handoff.bundle_sha256}</code>; <code>casebook bundle verify</code> checks it.
      </p>
      {accept.error && <Notice what="The case was not accepted.">{accept.error.message}</Notice>}
      <Markdown text={handoff.summary.replace(TITLE, '')} isBody />
      {handoff.pictures.map((picture) => (
        <Picture key={picture.number} pass={pass} number={picture.number} title={picture.title} />
      ))}
      <section aria-label="Evidence">
        <h2>Evidence, redacted</h2>
        <ul className={styles.list}>
          {handoff.pieces.map((piece) => (
            <li key={piece.number}>
              <button type="button" className={styles.link} aria-expanded={shown === piece.number} onClick={() => setShown(shown === piece.number ? undefined : piece.number)}>
                {piece.path.replace(/^evidence\/\d+\//, '')}
              </button>{' '}
              <span className={styles.soft}>
                {lines(piece.lines)}, {bytes(piece.size_bytes)}
              </span>
              {shown === piece.number && <SharedFile pass={pass} piece={piece} />}
            </li>
          ))}
        </ul>
      </section>
      <h2>Messages</h2>
      <Messages
        messages={handoff.messages}
        canWrite={isOpen}
        label={`Write to ${handoff.sender}`}
        hint="The sender sees it on their case."
        onSend={(text) => write.mutateAsync({ name: who, text })}
        onAnswer={(text) => answer.mutateAsync({ name: who, text })}
      />
    </article>
  )
}

function Picture({ pass, number, title }: { pass: string; number: number; title: string }) {
  const picture = useSharedPicture(pass, number)
  if (picture.error) return <Notice what={`The flame graph ${title} cannot be shown.`}>{picture.error.message}</Notice>
  return (
    <div className={styles.figure} tabIndex={0} role="region" aria-label={`Flame graph: ${title}`}>
      <p>{title}</p>
      {picture.data && <img src={picture.data} alt={`Flame graph of ${title}; the bundle has its stacks as text`} />}
    </div>
  )
}
