import { Link } from '@tanstack/react-router'
import type { Profile } from '../../api'
import { Button } from '../../ui'
import type { GraphState } from '../flamegraph'
import styles from './case.module.css'
import { profileLabel } from './ProfilePicker'

type Props = { profile: Profile; profiles: readonly Profile[]; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** Chooses the baseline of a comparison: another profile of the case, or a time range of this one. */
export function BaseChooser({ profile, profiles, state, onChange }: Props) {
  const others = profiles.filter(({ id, has_weights }) => id !== profile.id && has_weights)
  const { t0, t1 } = state.selection
  const selectRangeAsBase = () => onChange({ base: profile.id, baseFrom: t0 ?? null, baseTo: t1 ?? null, selection: { ...state.selection, t0: undefined, t1: undefined } })
  return (
    <div className={styles.bar}>
      <label className={styles.baseLabel}>
        <strong>A</strong> (baseline)
        <select className={styles.basePicker} value={state.base ?? ''} onChange={({ target: { value } }) => onChange({ base: value || null, baseFrom: null, baseTo: null, zoom: null, node: null })}>
          <option value="">choose…</option>
          {state.base === profile.id && <option value={profile.id}>{`this profile, ${state.baseFrom ?? 0}–${state.baseTo ?? ''} s`}</option>}
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {profileLabel(one)}
            </option>
          ))}
        </select>
      </label>
      <span className={styles.soft}>
        <strong>B</strong> (current): {profileLabel(profile)}
        {t0 !== undefined && `, ${t0}–${t1} s`}
      </span>
      <Link className={styles.otherCase} to="/compare" search={{ b: profile.id, ...(state.base && state.base !== profile.id && { a: state.base }) }}>
        Compare with another case
      </Link>
      {t0 !== undefined && <Button onClick={selectRangeAsBase}>Use selected time as A</Button>}
    </div>
  )
}
