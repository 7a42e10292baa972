import { useId, useState } from 'react'
import { type StoryContent, type StoryDraft, useSignatures } from '../../api'
import { Button } from '../../ui'
import { SignatureLink } from './links'
import styles from './stories.module.css'

type Props = { content: StoryContent; draft: StoryDraft; onChange: (some: Partial<StoryContent>) => void }

const linesOf = (typed: string) => typed.split('\n').map((line) => line.trim()).filter(Boolean)

/** What a story is found by and linked to, beside its text. */
export function Fields({ content, draft, onChange }: Props) {
  const id = useId()
  const signatures = useSignatures()
  const [typed, setTyped] = useState(content.symptoms.join('\n'))
  const shown = linesOf(typed).join('\n') === content.symptoms.join('\n') ? typed : content.symptoms.join('\n')
  const [number, setNumber] = useState('')
  const known = signatures.data ?? []
  const areas = [...new Set([...known.map(({ area }) => area), ...(content.area ? [content.area] : [])])].toSorted()
  const titleOf = (signature: string) => known.find((one) => one.id === signature)?.title ?? signature
  const addCase = () => {
    const wanted = Number(number)
    if (!Number.isSafeInteger(wanted) || wanted < 1) return
    onChange({ cases: [...new Set([...content.cases, wanted])] })
    setNumber('')
  }
  return (
    <div className={styles.fields}>
      <label className={styles.wide}>
        Title
        <input value={content.title} maxLength={300} placeholder="What it was, in a line" onChange={(event) => onChange({ title: event.target.value })} />
      </label>
      <label>
        Symptoms, one in a line
        <textarea
          rows={3}
          value={shown}
          placeholder={'ps hangs\nsystem CPU at 100 % since the deploy'}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange({ symptoms: linesOf(event.target.value).slice(0, 12).map((line) => line.slice(0, 200)) })
          }}
        />
      </label>
      <label>
        What cured it
        <textarea rows={3} value={content.fix} maxLength={2000} placeholder="nothing yet" onChange={(event) => onChange({ fix: event.target.value })} />
      </label>
      <div className={styles.links}>
        <label htmlFor={`${id}-signature`}>Signatures it speaks of</label>
        <select id={`${id}-signature`} value="" onChange={(event) => onChange({ signatures: [...content.signatures, event.target.value] })}>
          <option value="" disabled>
            {signatures.error ? 'could not be loaded' : 'add one'}
          </option>
          {known
            .filter((one) => !content.signatures.includes(one.id))
            .map((one) => (
              <option key={one.id} value={one.id}>
                {one.id}: {one.title}
              </option>
            ))}
        </select>
        <ul aria-label="Signatures of this story">
          {content.signatures.map((signature) => (
            <li key={signature}>
              <SignatureLink id={signature}>{titleOf(signature)}</SignatureLink>{' '}
              <Button look="quiet" aria-label={`Take off ${signature}`} onClick={() => onChange({ signatures: content.signatures.filter((one) => one !== signature) })}>
                Take off
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.links}>
        <label htmlFor={`${id}-case`}>Cases it speaks of</label>
        <form
          className={styles.actions}
          onSubmit={(event) => {
            event.preventDefault()
            addCase()
          }}
        >
          <input id={`${id}-case`} inputMode="numeric" value={number} placeholder="number" onChange={(event) => setNumber(event.target.value)} />
          <Button type="submit">Add</Button>
        </form>
        <ul aria-label="Cases of this story">
          {content.cases.map((one) => (
            <li key={one}>
              {one} {draft.cases.find((each) => each.number === one)?.title}{' '}
              <Button look="quiet" aria-label={`Take off case ${one}`} onClick={() => onChange({ cases: content.cases.filter((each) => each !== one) })}>
                Take off
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <label>
        Area
        <select value={content.area} onChange={(event) => onChange({ area: event.target.value })}>
          <option value="">that of its first signature</option>
          {areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </select>
      </label>
    </div>
  )
}
