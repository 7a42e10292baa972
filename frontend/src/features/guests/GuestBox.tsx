import { useId, useRef, useState } from 'react'
import { useGuest, useSendAsGuest } from '../../api'
import { format } from '../../profile'
import { Button, Notice } from '../../ui'
import { useDropAnywhere } from '../uploads'
import styles from './guests.module.css'
import { clock, durationText } from './labels'

const IMAGE_ADVICE = 'Text in an image cannot be read. Copy the text from the terminal and paste it, or drop the output as a file.'

/** Uploads without signing in, where the instance allows it, with retention and size limits. */
export function GuestBox() {
  const guest = useGuest()
  return guest.data?.is_open ? <UploadBox guest={guest.data} /> : null
}

type Guest = NonNullable<ReturnType<typeof useGuest>['data']>

function UploadBox({ guest }: { guest: Guest }) {
  const send = useSendAsGuest()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isImage, setIsImage] = useState(false)
  const submit = (content: string | readonly File[]) => {
    setIsImage(false)
    void send.mutateAsync(content).then(
      ({ number }) => window.location.assign(`/cases/${number}`),
      () => undefined,
    )
  }
  const isOver = useDropAnywhere({ onFiles: (dropped) => submit(dropped.map(({ file }) => file)), onText: submit, onImage: () => setIsImage(true) })
  const guestCase = guest.case
  return (
    <section className={styles.box} data-over={isOver || undefined} aria-label="Guest upload" data-testid="guest-box">
      <h2>{isOver ? 'Drop to analyse' : 'Or paste without signing in'}</h2>
      {guestCase && (
        <p>
          <a href={`/cases/${guestCase.number}`}>{guestCase.title}</a> expires at {clock(guestCase.expires_at)}. New uploads are added to it.
        </p>
      )}
      <p className={styles.soft} data-testid="guest-terms">
        The case is stored for {durationText(guest.lifetime_seconds)}, then deleted with all its evidence. Only this browser and the administrators of this instance can open it. Size limit:{' '}
        {format.bytes(guest.max_bytes)}. Sign in later to keep it.
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit(text)
        }}
      >
        <label htmlFor={id}>Terminal output: perf top, dmesg, a stack</label>
        <textarea id={id} rows={6} value={text} spellCheck={false} placeholder="$ perf top --stdio" onChange={(event) => setText(event.target.value)} />
        <div className={styles.row}>
          <Button type="submit" look="primary" disabled={text.trim() === '' || send.isPending}>
            {send.isPending ? 'Sending…' : 'Analyse'}
          </Button>
          <Button onClick={() => input.current?.click()} disabled={send.isPending}>
            Choose files
          </Button>
          <span className={styles.soft}>or drop files, or press Ctrl V</span>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="guest-files"
          onChange={(event) => {
            if (event.target.files?.length) submit([...event.target.files])
            event.target.value = ''
          }}
        />
      </form>
      {isImage && <Notice what="Images are not supported.">{IMAGE_ADVICE}</Notice>}
      {send.error && <Notice what="The upload was rejected.">{send.error.message}</Notice>}
    </section>
  )
}
