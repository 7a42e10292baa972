import type { Profile } from '../../api'
import { format } from '../../profile'
import styles from './case.module.css'

type Props = { profiles: readonly Profile[]; selected: Profile; onSelect: (id: string) => void }

/** A profile in one line: file, event and weight. */
export function profileLabel(profile: Profile): string {
  // Recordings of one script differ only in their folder.
  const name = profile.evidence_name.split('/').slice(-2).join('/')
  const weight = profile.has_weights ? format.weight(profile.weight, profile.unit) : 'no weights'
  return [name, profile.event || profile.what, weight].join(' · ')
}

export function ProfilePicker({ profiles, selected, onSelect }: Props) {
  if (profiles.length < 2) return <span className={styles.profileName} title={profileLabel(selected)}>{profileLabel(selected)}</span>
  return (
    <select className={styles.picker} aria-label="Profile" value={selected.id} onChange={(event) => onSelect(event.target.value)}>
      {profiles.map((profile) => (
        <option key={profile.id} value={profile.id}>
          {profileLabel(profile)}
        </option>
      ))}
    </select>
  )
}
