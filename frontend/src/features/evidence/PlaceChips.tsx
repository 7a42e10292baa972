import { type ReactNode, useState } from 'react'
import { type Evidence, usePlaceEvidence } from '../../api'
import { Button, Dialog, DialogActions, Menu, type MenuItem, useToast } from '../../ui'
import styles from './places.module.css'
import { PHASES, type PlaceChange, sharedPlace, undoOf } from './places'

/** Sets host or phase of files, with an undo. */
export function usePlacing(caseId: string): { place: (items: readonly Evidence[], change: PlaceChange, what: string) => void; isPending: boolean } {
  const assign = usePlaceEvidence(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const undo = async (items: readonly Evidence[], change: PlaceChange) => {
    for (const body of undoOf(items, change)) await assign.mutateAsync(body)
  }
  const place = (items: readonly Evidence[], change: PlaceChange, what: string) => {
    const top = items.filter(({ parent_id }) => parent_id === null)
    // mutateAsync, because the callbacks of `mutate` do not run after this row unmounts.
    assign.mutateAsync({ evidence_ids: top.map(({ id }) => id), ...change }).then(
      () => toast(`${what}: ${change.host ?? change.phase ?? 'as suggested'}. Judging again.`, { undo: () => void undo(top, change).catch(showError) }),
      showError,
    )
  }
  return { place, isPending: assign.isPending }
}

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

function Chip({ label, value, basis, items, isDisabled }: { label: string; value: string; basis: string; items: readonly MenuItem[]; isDisabled: boolean }): ReactNode {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const isAssumed = basis === 'assumed'
  return (
    <>
      <button
        type="button"
        className={styles.chip}
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
