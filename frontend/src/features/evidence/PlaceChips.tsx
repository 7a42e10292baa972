import { type ReactNode, useState } from 'react'
import type { Evidence } from '../../api'
import { Button, Dialog, DialogActions, Menu, type MenuItem } from '../../ui'
import { useDropTarget } from './PlaceDrag'
import styles from './places.module.css'
import { PHASES, type PlaceChange, sharedPlace } from './places'
import { usePlacing } from './usePlacing'

type Props = { caseId: string; items: readonly Evidence[]; name: string; hosts: readonly string[] }

/** Host and phase of a file, a folder or a selection, each a menu that changes it; what is only assumed says so. */
export function PlaceChips({ caseId, items, name, hosts }: Props) {
  const { place, isPending } = usePlacing(caseId)
  const [isNaming, setIsNaming] = useState(false)
  const host = sharedPlace(items, 'host')
  const phase = sharedPlace(items, 'phase')
  const back = (field: 'host' | 'phase'): MenuItem[] => (items.some((item) => item[`${field}_basis`] === 'set') ? [{ label: 'As suggested', act: () => place(items, { [field]: null }, name), startsGroup: true }] : [])
  return (
    <span className={styles.chips}>
      <Chip
        label={`Host of ${name}`}
        drop={host.value ? { host: host.value } : undefined}
        value={host.isSeveral ? 'several hosts' : host.value || 'no host'}
        basis={host.basis}
        isDisabled={isPending}
        items={[
          ...hosts.map((value) => ({ label: value, act: () => place(items, { host: value }, name) })),
          { label: 'Other host…', act: () => setIsNaming(true), startsGroup: hosts.length > 0 },
          ...back('host'),
        ]}
      />
      <Chip
        label={`Phase of ${name}`}
        drop={PHASES.filter((value) => value === phase.value).map((value) => ({ phase: value }))[0]}
        value={phase.isSeveral ? 'several phases' : phase.value}
        basis={phase.basis}
        isDisabled={isPending}
        items={[...PHASES.map((value) => ({ label: value, act: () => place(items, { phase: value }, name) })), ...back('phase')]}
      />
      {isNaming && (
        <HostDialog
          name={name}
          onClose={() => setIsNaming(false)}
          onHost={(value) => {
            setIsNaming(false)
            place(items, { host: value }, name)
          }}
        />
      )}
    </span>
  )
}

type ChipProps = {
  label: string
  value: string
  basis: string
  items: readonly MenuItem[]
  isDisabled: boolean
  /** What happens to a row that is dropped here. */
  drop: PlaceChange | undefined
}

function Chip({ label, value, basis, items, isDisabled, drop }: ChipProps): ReactNode {
  const target = useDropTarget(drop)
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const isAssumed = basis === 'assumed'
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        {...target}
        data-assumed={isAssumed || undefined}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        aria-label={`${label}: ${value}${isAssumed ? ', assumed' : ''}`}
        title={isAssumed ? 'Assumed from the folder' : undefined}
        disabled={isDisabled}
        onClick={(event) => {
          // Inside the summary of a folder, which a click would open.
          event.preventDefault()
          const bounds = event.currentTarget.getBoundingClientRect()
          setAt(at ? null : { x: bounds.left, y: bounds.bottom + 3 })
        }}
      >
        {value}
        {isAssumed && <small>assumed</small>}
      </button>
      {at && <Menu label={label} items={items} at={at} onClose={() => setAt(null)} />}
    </>
  )
}

function HostDialog({ name, onHost, onClose }: { name: string; onHost: (host: string) => void; onClose: () => void }) {
  const [host, setHost] = useState('')
  return (
    <Dialog title={`Host of ${name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (host.trim()) onHost(host.trim())
        }}
      >
        <label>
          Host <input value={host} maxLength={253} onChange={(event) => setHost(event.target.value)} />
        </label>
        <DialogActions>
          <Button type="submit" look="primary" disabled={!host.trim()}>
            Set host
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
