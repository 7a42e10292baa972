import { useState } from 'react'
import { type Case, type CasesUpdate, type CaseUpdate, useMembers, useUpdateCases, useUpdateListedCase } from '../../api'
import { Button, type MenuItem, MenuButton, useToast } from '../../ui'
import { SEVERITIES, STATUS_LABELS, tagsIn } from '../incident'
import styles from './cases.module.css'

type Props = { chosen: readonly Case[]; shownCount: number; onAll: () => void; onClear: () => void }

/** Cases of one request at most. */
const MAX_CASES = 100

/** The change that takes back `change` from a case. */
export function undoOf(before: Case, change: CasesUpdate): CaseUpdate {
  return {
    ...(change.status && { status: before.status }),
    ...('severity' in change && { severity: before.severity }),
    ...('assignee' in change && { assignee: before.assignee?.name ?? null }),
    ...((change.add_tags ?? change.remove_tags) && { tags: before.tags }),
  }
}

const choices = <Value extends string>(values: readonly Value[], label: (value: Value) => string, act: (value: Value) => void): MenuItem[] =>
  values.map((value) => ({ label: label(value), act: () => act(value) }))

/** Changes the chosen cases together; its undo leaves alone what was changed since. */
export function BulkBar({ chosen, shownCount, onAll, onClear }: Props) {
  const update = useUpdateCases()
  const restore = useUpdateListedCase()
  const members = useMembers().data ?? []
  const [tags, setTags] = useState('')
  const toast = useToast()
  const names = members.filter((one) => one.disabled_at === null && !one.is_service).map(({ name }) => name)
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const apply = (body: CasesUpdate, what: string) => {
    const before = new Map(chosen.map((one) => [one.number, one]))
    update.mutate(
      { numbers: [...before.keys()], body },
      {
        onError: showError,
        onSuccess: ({ items }) => {
          const undo = () =>
            items.map(({ number, version }) => {
              const old = before.get(number)
              return old ? restore.mutateAsync({ number, version, body: undoOf(old, body) }) : undefined
            })
          toast(`${items.length === 1 ? '1 case' : `${items.length} cases`}: ${what}.`, { undo: () => void Promise.all(undo()).catch(showError) })
        },
      },
    )
  }
  const isDisabled = update.isPending || chosen.length > MAX_CASES
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Change the selected cases" data-testid="bulk-bar">
      <span>
        {chosen.length} selected{chosen.length > MAX_CASES && ` of ${MAX_CASES} at most`}
      </span>
      {chosen.length < shownCount && (
        <Button look="quiet" onClick={onAll}>
          Select all {shownCount}
        </Button>
      )}
      <MenuButton label="Status" isDisabled={isDisabled} items={choices(Object.keys(STATUS_LABELS) as Case['status'][], (one) => STATUS_LABELS[one], (status) => apply({ status }, STATUS_LABELS[status].toLowerCase()))} />
      <MenuButton
        label="Severity"
        isDisabled={isDisabled}
        items={[...choices(SEVERITIES, (one) => one, (severity) => apply({ severity }, `severity ${severity}`)), { label: 'none', act: () => apply({ severity: null }, 'no severity') }]}
      />
      <MenuButton label="Assignee" isDisabled={isDisabled} items={[...choices(names, (one) => one, (assignee) => apply({ assignee }, `assigned to ${assignee}`)), { label: 'nobody', act: () => apply({ assignee: null }, 'no assignee') }]} />
      <form
        className={styles.bulkTags}
        onSubmit={(event) => {
          event.preventDefault()
          const added = tagsIn(tags)
          if (added.length > 0) apply({ add_tags: added }, `tagged ${added.join(', ')}`)
          setTags('')
        }}
      >
        <input className={styles.search} aria-label="Add tags" placeholder="Add tags" value={tags} maxLength={400} onChange={(event) => setTags(event.target.value)} />
      </form>
      <Button disabled={isDisabled} onClick={() => apply({ status: 'resolved' }, 'closed')}>
        Close
      </Button>
      <Button look="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}
