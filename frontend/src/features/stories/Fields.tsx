import { useId, useState } from 'react'
import { type StoryContent, type StoryDraft, useSignatures } from '../../api'
import { Button } from '../../ui'
import { SignatureLink } from './links'
import styles from './stories.module.css'

type Props = { content: StoryContent; draft: StoryDraft; onChange: (some: Partial<StoryContent>) => void }

const linesOf = (text: string) => text.split('\n').map((line) => line.trim()).filter(Boolean)

/** Metadata of a story: title, symptoms, fix, signatures, cases, area. */
export function Fields({ content, draft, onChange }: Props) {
  const id = useId()
  const signatures = useSignatures()
  const [symptomText, setSymptomText] = useState(content.symptoms.join('\n'))
  const shownSymptoms = linesOf(symptomText).join('\n') === content.symptoms.join('\n') ? symptomText : content.symptoms.join('\n')
  const [number, setNumber] = useState('')
  const all = signatures.data ?? []
  const areas = [...new Set([...all.map(({ area }) => area), ...(content.area ? [content.area] : [])])].toSorted()
  const titleOf = (signature: string) => all.find((one) => one.id === signature)?.title ?? signature
  const addCase = () => {
    const caseNumber = Number(number)
    if (!Number.isSafeInteger(caseNumber) || caseNumber < 1) return
    onChange({ cases: [...new Set([...content.cases, caseNumber])] })
    setNumber('')
  }
  return (
    <div className={styles.fields}>
      <label className={styles.wide}>
        Title
        <input value={content.title} maxLength={300} placeholder="One-line summary" onChange={(event) => onChange({ title: event.target.value })} />
      </label>
      <label>
        Symptoms (one per line)
        <textarea
          rows={3}
          value={shownSymptoms}
          placeholder={'ps hangs\nsystem CPU at 100 % since the deploy'}
          onChange={(event) => {
            setSymptomText(event.target.value)
            onChange({ symptoms: linesOf(event.target.value).slice(0, 12).map((line) => line.slice(0, 200)) })
          }}
        />
      </label>
      <label>
        Fix
        <textarea rows={3} value={content.fix} maxLength={2000} placeholder="none yet" onChange={(event) => onChange({ fix: event.target.value })} />
      </label>
      <div className={styles.links}>
        <label htmlFor={`${id}-signature`}>Signatures</label>
        <select id={`${id}-signature`} value="" onChange={(event) => onChange({ signatures: [...content.signatures, event.target.value] })}>
          <option value="" disabled>
            {signatures.error ? 'Could not be loaded' : 'Add signature'}
          </option>
          {all
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
              <Button look="quiet" aria-label={`Remove ${signature}`} onClick={() => onChange({ signatures: content.signatures.filter((one) => one !== signature) })}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.links}>
        <label htmlFor={`${id}-case`}>Cases</label>
        <form
          className={styles.actions}
          onSubmit={(event) => {
            event.preventDefault()
            addCase()
          }}
        >
          <input id={`${id}-case`} inputMode="numeric" value={number} placeholder="Case number" onChange={(event) => setNumber(event.target.value)} />
          <Button type="submit">Add</Button>
        </form>
        <ul aria-label="Cases of this story">
          {content.cases.map((one) => (
            <li key={one}>
              {one} {draft.cases.find((each) => each.number === one)?.title}{' '}
              <Button look="quiet" aria-label={`Remove case ${one}`} onClick={() => onChange({ cases: content.cases.filter((each) => each !== one) })}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <label>
        Area
        <select value={content.area} onChange={(event) => onChange({ area: event.target.value })}>
          <option value="">Area of the first signature</option>
          {areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </select>
      </label>
    </div>
  )
}
