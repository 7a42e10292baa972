import type { Profile } from '../../api'
import { format } from '../../profile'
import styles from './case.module.css'

type Props = { profiles: readonly Profile[]; selected: Profile; onSelect: (id: string) => void }

/** A profile in one line: its file, its event, its weight. */
export function profileWords(profile: Profile): string {
  // The folder tells recordings of one script apart.
  const name = profile.evidence_name.split('/').slice(-2).join('/')
  const weight = profile.has_weights ? format.weight(profile.weight, profile.unit) : 'no weights'
  return [name, profile.event || profile.what, weight].join(' · ')
}

export function ProfilePicker({ profiles, selected, onSelect }: Props) {
  if (profiles.length < 2) return <span className={styles.profileName} title={profileWords(selected)}>{profileWords(selected)}</span>
  return (
    <select className={styles.picker} aria-label="Profile" value={selected.id} onChange={(event) => onSelect(event.target.value)}>
      {profiles.map((profile) => (
        <option key={profile.id} value={profile.id}>
          {profileWords(profile)}
        </option>
      ))}
    </select>
  )
}
