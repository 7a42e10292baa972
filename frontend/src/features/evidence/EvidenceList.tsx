import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Evidence } from '../../api'
import { TransferRate, useDeleteEvidence, useIsGuest, useRestoreEvidence, useRetryEvidence } from '../../api'
import { format } from '../../profile'
import { Button, Tag, useToast } from '../../ui'
import { progressText } from '../uploads'
import styles from './evidence.module.css'
import { answers, foldersOf, treeOf } from './folders'
import { ParseReport } from './ParseReport'
import { formatsOf, isBusy, isUnread, nameOf, skippedLines, STATE_TONES, stageOf } from './labels'

const MAX_ROWS = 200
/** More files than this have a filter and are folded by folder. */
const MAX_FLAT = 40

type Props = { caseId: string; isJudged: boolean; evidence: readonly Evidence[]; selectedId: string | undefined; onShow: (evidenceId: string) => void }

/** The files of a case with state, formats, errors and actions; archives with their members, many files by folder. */
export function EvidenceList({ evidence, ...shared }: Props) {
  const [filter, setFilter] = useState('')
  const tree = useMemo(() => treeOf(evidence), [evidence])
  const row = (item: Evidence) => (
    <li key={item.id}>
      <EvidenceRow {...shared} item={item} isSelected={item.id === shared.selectedId} />
      <Folded title="members" items={tree.members.get(item.id) ?? []} selectedId={shared.selectedId} row={row} />
    </li>
  )
  const isLarge = tree.top.length > MAX_FLAT
  const found = filter ? evidence.filter((item) => answers(item, filter)) : tree.top
  const isGrouped = isLarge && !filter
  return (
    <>
      {isLarge && (
        <p className={styles.filter}>
          <input type="search" aria-label="Filter files by name, format or state" placeholder="Filter: name, format, or failed" value={filter} onChange={(event) => setFilter(event.target.value)} />
          <span role="status">{filter && `${format.count(found.length)} of ${format.count(evidence.length)}`}</span>
        </p>
      )}
      <ul className={styles.list} aria-label="Evidence" data-testid="evidence-list">
        {isGrouped
          ? foldersOf(tree.top).map(({ folder, items }) => (
              <li key={folder}>
                <Folded title={folder} items={items} selectedId={shared.selectedId} row={row} isAlwaysFolded />
              </li>
            ))
          : found.slice(0, MAX_ROWS).map(row)}
      </ul>
      {!isGrouped && found.length > MAX_ROWS && <p className={styles.soft}>and {format.count(found.length - MAX_ROWS)} more</p>}
    </>
  )
}

type FoldedProps = { title: string; items: readonly Evidence[]; selectedId: string | undefined; row: (item: Evidence) => ReactNode; isAlwaysFolded?: boolean }

/** Files that belong together; only an open group has rows, so that hundreds of files cost nothing. */
function Folded({ title, items, selectedId, row, isAlwaysFolded = false }: FoldedProps) {
  const isUsual = (!isAlwaysFolded && items.length <= 12) || (items.length <= MAX_FLAT && items.some(({ id }) => id === selectedId))
  const [isOpen, setIsOpen] = useState<boolean>()
  if (items.length === 0) return null
  const isShown = isOpen ?? isUsual
  const unread = items.filter(({ state }) => state !== 'read').length
  return (
    <details className={styles.members} open={isShown} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {isAlwaysFolded ? `${title}: ${items.length} ${items.length === 1 ? 'file' : 'files'}` : `${items.length} ${title}`}
        {unread > 0 && `, ${unread} not read`}
      </summary>
      {isShown && (
        <>
          <ul>{items.slice(0, MAX_ROWS).map(row)}</ul>
          {items.length > MAX_ROWS && <p className={styles.soft}>and {format.count(items.length - MAX_ROWS)} more</p>}
        </>
      )}
    </details>
  )
}

type RowProps = { caseId: string; isJudged: boolean; item: Evidence; isSelected: boolean; onShow: (id: string) => void }

function EvidenceRow({ caseId, isJudged, item, isSelected, onShow }: RowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toast = useToast()
  const retry = useRetryEvidence(caseId)
  const restore = useRestoreEvidence(caseId)
  const remove = useDeleteEvidence(caseId)
  const isGuest = useIsGuest()
  const name = nameOf(item)
  const showError = (error: Error) => toast(error.message, { isError: true })
  const undo = () => void restore.mutateAsync(item.id).catch(showError)
  // mutateAsync, because the callbacks of `mutate` do not run after this row unmounts.
  const discard = () => void remove.mutateAsync(item.id).then(() => toast(`Removed ${name}.`, { undo }), showError)
  return (
    <div className={styles.item} data-selected={isSelected || undefined} data-testid="evidence-row" data-state={item.state}>
      <div className={styles.itemLine}>
        <Tag tone={STATE_TONES[item.state]}>{stageOf(item, isJudged)}</Tag>
        <button type="button" className={styles.name} onClick={() => onShow(item.id)} title={`Show the raw text of ${name}`}>
          {name}
        </button>
        <span className={styles.soft}>{format.bytes(item.size_bytes)}</span>
        {item.is_partial && <Tag tone="suspect">provisional</Tag>}
        <span className={styles.formats}>
          {formatsOf(item)}
          {item.is_partial && ' (first part; upload in progress)'}
        </span>
        {isBusy(item) && <Reading item={item} name={name} />}
        <span className={styles.actions}>
          {item.sections.length > 0 && (
            <Button look="quiet" aria-expanded={isOpen} aria-label={`Parse report of ${name}`} onClick={() => setIsOpen(!isOpen)}>
              {skippedLines(item) > 0 ? `Report, ${format.count(skippedLines(item))} skipped` : 'Report'}
            </Button>
          )}
          {!isGuest && isUnread(item) && (
            <Button onClick={() => retry.mutate(item.id, { onError: showError })} disabled={retry.isPending}>
              Read again
            </Button>
          )}
          {!isGuest && item.parent_id === null && (
            <Button look="quiet" aria-label={`Remove ${name}`} onClick={discard} disabled={remove.isPending}>
              Remove
            </Button>
          )}
        </span>
      </div>
      {item.reason && (
        <p className={styles.reason} data-testid="evidence-reason">
          {item.reason}
        </p>
      )}
      {item.is_duplicate_of && <p className={styles.soft}>Duplicate of another file of this case; counted once.</p>}
      {isOpen && <ParseReport evidence={item} />}
    </div>
  )
}

/** Reading progress: share, rate and time left. */
function Reading({ item, name }: { item: Evidence; name: string }) {
  const [meter] = useState(() => new TransferRate())
  const [rate, setRate] = useState(0)
  const share = item.progress_share
  const bytes = (share ?? 0) * item.size_bytes
  useEffect(() => {
    meter.add(bytes)
    const timer = setTimeout(() => setRate(meter.perSecond()), 0)
    return () => clearTimeout(timer)
  }, [meter, bytes])
  return (
    <>
      <progress className={styles.progress} value={share ?? undefined} max={1} aria-label={`Reading ${name}`} />
      {share !== null && share > 0 && <span className={styles.soft}>{progressText(bytes, item.size_bytes, rate)}</span>}
    </>
  )
}
