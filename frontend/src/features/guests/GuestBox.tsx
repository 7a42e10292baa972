import { useId, useRef, useState } from 'react'
import { useGuest, useSendAsGuest } from '../../api'
import { format } from '../../profile'
import { Button, Notice } from '../../ui'
import { useDropAnywhere } from '../uploads'
import styles from './guests.module.css'
import { clock, span } from './words'

const PICTURE = 'A picture of text cannot be read here. Copy the text itself from the terminal and paste that, or drop the output as a file.'

/** Paste before signing in, where that is allowed; how long it is kept stands above it. */
export function GuestBox() {
  const guest = useGuest()
  return guest.data?.is_open ? <OpenBox guest={guest.data} /> : null
}

type Guest = NonNullable<ReturnType<typeof useGuest>['data']>

function OpenBox({ guest }: { guest: Guest }) {
  const send = useSendAsGuest()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isPicture, setIsPicture] = useState(false)
  const take = (sent: string | readonly File[]) => {
    setIsPicture(false)
    void send.mutateAsync(sent).then(
      ({ number }) => window.location.assign(`/cases/${number}`),
      () => undefined,
    )
  }
  const isOver = useDropAnywhere({ onFiles: (dropped) => take(dropped.map(({ file }) => file)), onText: take, onPicture: () => setIsPicture(true) })
  const held = guest.case
  return (
    <section className={styles.box} data-over={isOver || undefined} aria-label="Without signing in" data-testid="guest-box">
      <h2>{isOver ? 'Let go to have it read' : 'Or paste without signing in'}</h2>
      {held && (
        <p>
          <a href={`/cases/${held.number}`}>{held.title}</a> is here until {clock(held.expires_at)}. What you paste now joins it.
        </p>
      )}
      <p className={styles.soft} data-testid="guest-terms">
        {held ? 'That case' : 'It'} is kept for {span(guest.lifetime_seconds)}{held ? ' in all' : ''}, then deleted with everything in it. Only this browser opens it; those who administer this instance can
        look. Up to {format.bytes(guest.max_bytes)}. Sign in later to keep it.
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          take(text)
        }}
      >
        <label htmlFor={id}>Straight from the terminal: perf top, dmesg, a stack</label>
        <textarea id={id} rows={6} value={text} spellCheck={false} placeholder="$ perf top --stdio" onChange={(event) => setText(event.target.value)} />
        <div className={styles.row}>
          <Button type="submit" look="primary" disabled={text.trim() === '' || send.isPending}>
            {send.isPending ? 'Sending…' : 'Read it'}
          </Button>
          <Button onClick={() => input.current?.click()} disabled={send.isPending}>
            Choose small files
          </Button>
          <span className={styles.soft}>or drop, or Ctrl V</span>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="guest-files"
          onChange={(event) => {
            if (event.target.files?.length) take([...event.target.files])
            event.target.value = ''
          }}
        />
      </form>
      {isPicture && <Notice what="A picture was pasted.">{PICTURE}</Notice>}
      {send.error && <Notice what="That was not taken.">{send.error.message}</Notice>}
    </section>
  )
}
