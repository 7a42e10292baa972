import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Profile, useCases, useProfiles } from '../../api'
import { format } from '../../profile'
import styles from './compare.module.css'

type Props = { name: string; caption: string; profile: Profile | undefined; onPick: (profileId: string) => void }

/** One side of the comparison: a case, and one of its profiles. */
export function Side({ name, caption, profile, onPick }: Props) {
  const cases = useCases({ q: '', state: '', sort: '-updated_at' })
  const items = cases.data?.pages.flatMap((page) => page.items) ?? []
  const [picked, setPicked] = useState<string | null>(null)
  const caseId = picked ?? profile?.case_id ?? ''
  const profiles = useProfiles(caseId)
  const shown = profile?.case_id === caseId ? profile.id : ''
  return (
    <fieldset className={styles.side}>
      <legend>
        <strong>{name}</strong> ({caption})
      </legend>
      <select aria-label={`Case of ${name}`} value={caseId} onChange={(event) => setPicked(event.target.value)}>
        <option value="" disabled>
          choose a case…
        </option>
        {items.map((one) => (
          <option key={one.id} value={one.id}>
            {one.number} {one.title || 'Untitled'}
          </option>
        ))}
      </select>
      <select
        aria-label={`Profile of ${name}`}
        value={shown}
        disabled={caseId === ''}
        onChange={(event) => {
          setPicked(null)
          onPick(event.target.value)
        }}
      >
        <option value="" disabled>
          {profiles.data?.length === 0 ? 'no profile in this case' : 'choose a profile…'}
        </option>
        {profiles.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.evidence_name.split('/').slice(-2).join('/')} · {one.event || one.what} · {format.count(one.samples)} samples
          </option>
        ))}
      </select>
      {!profile && (
        <span className={styles.pending} aria-hidden="true">
          Open case
        </span>
      )}
      {profile && (
        <Link to="/cases/$caseId" params={{ caseId: profile.case_id }} search={{ profile: profile.id }}>
          Open case
        </Link>
      )}
    </fieldset>
  )
}
