import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { HandoffMessage } from '../../api'
import { Button, Notice, RelativeTime } from '../../ui'
import styles from './handoffs.module.css'

type Props = {
  messages: readonly HandoffMessage[]
  canWrite: boolean
  hint: string
  label: string
  onSend: (text: string) => Promise<unknown>
  onAnswer?: (text: string) => Promise<unknown>
  children?: ReactNode
}

/** Messages of both sides and a form to reply. Text is kept if sending fails. */
export function Messages({ messages, canWrite, hint, label, onSend, onAnswer, children }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const [isSending, setIsSending] = useState(false)
  const send = (action: (text: string) => Promise<unknown>) => {
    setIsSending(true)
    setError('')
    void action(text)
      .then(() => setText(''), (problem: unknown) => setError(problem instanceof Error ? problem.message : String(problem)))
      .finally(() => setIsSending(false))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(onSend)
  }
  return (
    <section aria-label="Messages" className={styles.messages}>
      {messages.map((message) => (
        <div key={message.id} className={styles.message} data-from={message.from_recipient ? 'recipient' : 'sender'}>
          <span className={styles.soft}>
            {message.author} <RelativeTime at={message.at} />
          </span>
          <p>{message.text}</p>
        </div>
      ))}
      {canWrite && (
        <form onSubmit={submit} className={styles.form}>
          {children}
          <label htmlFor={id}>{label}</label>
          <textarea id={id} rows={3} required maxLength={20_000} value={text} onChange={(event) => setText(event.target.value)} />
          <p className={styles.soft}>{hint}</p>
          {error && <Notice what="The message was not sent. Your text is kept.">{error}</Notice>}
          <p className={styles.actions}>
            <Button type="submit" disabled={isSending || !text.trim()}>
              Send message
            </Button>
            {onAnswer && (
              <Button look="primary" disabled={isSending || !text.trim()} onClick={() => send(onAnswer)}>
                Send as answer
              </Button>
            )}
          </p>
        </form>
      )}
    </section>
  )
}
