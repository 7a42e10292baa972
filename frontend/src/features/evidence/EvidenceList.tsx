import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Evidence } from '../../api'
import { TransferRate, useDeleteEvidence, useIsGuest, useRestoreEvidence, useRetryEvidence } from '../../api'
import { format } from '../../profile'
import { Button, Tag, useToast } from '../../ui'
import { progressText } from '../uploads'
import styles from './evidence.module.css'
import { answers, type Folder, foldersOf, MAX_FLAT, treeOf } from './folders'
import { ParseReport } from './ParseReport'
import { formatsOf, isBusy, isUnread, nameOf, skippedLines, STATE_TONES, stageOf } from './labels'
import { PlaceChips } from './PlaceChips'
import { PlaceDrag, useDragSource } from './PlaceDrag'
import places from './places.module.css'

const MAX_ROWS = 200

type Props = { caseId: string; isJudged: boolean; evidence: readonly Evidence[]; selectedId: string | undefined; onShow: (evidenceId: string) => void }

/** The files of a case with host, phase, state, formats, errors and actions; archives with their members, hosts and phases by folder. */
export function EvidenceList({ evidence, ...shared }: Props) {
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isGuest = useIsGuest()
  const tree = useMemo(() => treeOf(evidence), [evidence])
  const root = useMemo(() => foldersOf(tree.top), [tree])
  const hosts = useMemo(() => [...new Set(evidence.map(({ host }) => host).filter(Boolean))].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })), [evidence])
  const found = filter ? tree.top.filter((item) => answers(item, filter)) : tree.top
  const selected = tree.top.filter(({ id }) => chosen.has(id))
  const choose = (items: readonly Evidence[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const { id } of items) if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const place = (items: readonly Evidence[], name: string) =>
    isGuest ? undefined : (
      <>
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={items.every(({ id }) => chosen.has(id))}
          onChange={(event) => choose(items, event.target.checked)}
        />
        <PlaceChips caseId={shared.caseId} items={items} name={name} hosts={hosts} />
      </>
    )
  // A row of the selection takes the selection along.
  const dragsOf = (items: readonly Evidence[], name: string) => (items.every(({ id }) => chosen.has(id)) && selected.length > items.length ? { items: selected, name: `${selected.length} files` } : { items, name })
  const row = (item: Evidence) => (
    <li key={item.id}>
      <EvidenceRow {...shared} item={item} isSelected={item.id === shared.selectedId} place={item.parent_id === null && place([item], nameOf(item))} drags={dragsOf([item], nameOf(item))} />
      <Folded title="members" items={tree.members.get(item.id) ?? []} selectedId={shared.selectedId} row={row} />
    </li>
  )
  const isGrouped = root.folders.length > 0 && !filter
  return (
    <PlaceDrag caseId={shared.caseId} hosts={hosts}>
      {tree.top.length > MAX_FLAT && (
        <p className={styles.filter}>
          <input type="search" aria-label="Filter files by name, host, phase, format or state" placeholder="Filter: name, host, phase, or failed" value={filter} onChange={(event) => setFilter(event.target.value)} />
          <span role="status">{filter && `${format.count(found.length)} of ${format.count(tree.top.length)}`}</span>
          {filter && !isGuest && found.length > 0 && (
            <Button look="quiet" onClick={() => choose(found, true)}>
              Select all {format.count(found.length)}
            </Button>
          )}
        </p>
      )}
      {selected.length > 0 && (
        <div className={places.bar} role="toolbar" aria-label="Place the selected files">
          {selected.length} selected
          <PlaceChips caseId={shared.caseId} items={selected} name={selected.length === 1 ? nameOf(selected[0] as Evidence) : `${selected.length} files`} hosts={hosts} />
          <Button look="quiet" onClick={() => setChosen(new Set())}>
            Clear selection
          </Button>
        </div>
      )}
      <ul className={styles.list} aria-label="Evidence" data-testid="evidence-list">
        {isGrouped ? <Folders folder={root} selectedId={shared.selectedId} row={row} place={place} dragsOf={dragsOf} /> : found.slice(0, MAX_ROWS).map(row)}
      </ul>
      {!isGrouped && found.length > MAX_ROWS && <p className={styles.soft}>and {format.count(found.length - MAX_ROWS)} more</p>}
    </PlaceDrag>
  )
}

type Drags = { items: readonly Evidence[]; name: string }
type FoldersProps = {
  folder: Folder
  selectedId: string | undefined
  row: (item: Evidence) => ReactNode
  place: (items: readonly Evidence[], name: string) => ReactNode
  dragsOf: (items: readonly Evidence[], name: string) => Drags
}

/** The folders in a folder, and the files beside them. */
function Folders({ folder, ...shared }: FoldersProps) {
  return (
    <>
      {folder.folders.map((one) => (
        <li key={one.path}>
          <FolderRow folder={one} {...shared} />
        </li>
      ))}
      {folder.files.slice(0, MAX_ROWS).map(shared.row)}
      {folder.files.length > MAX_ROWS && <li className={styles.soft}>and {format.count(folder.files.length - MAX_ROWS)} more</li>}
    </>
  )
}

/** One folder with the host and phase of all files below it; only an open one has rows. */
function FolderRow({ folder, ...shared }: FoldersProps) {
  const [chosen, setIsOpen] = useState<boolean>()
  const isGuest = useIsGuest()
  const isOpen = chosen ?? (folder.all.length <= MAX_FLAT && folder.all.some(({ id }) => id === shared.selectedId))
  const unread = folder.all.filter(({ state }) => state !== 'read').length
  const source = useDragSource(shared.dragsOf(folder.all, `${folder.path}/`))
  return (
    <>
      <div className={places.folder} data-testid="evidence-folder" {...(!isGuest && source)}>
        <button type="button" className={places.disclosure} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {folder.path}/
        </button>
        <span className={styles.soft}>
          {format.count(folder.all.length)} {folder.all.length === 1 ? 'file' : 'files'}
          {unread > 0 && `, ${format.count(unread)} not read`}
        </span>
        {shared.place(folder.all, `${folder.path}/`)}
      </div>
      {isOpen && (
        <ul className={places.inside}>
          <Folders folder={folder} {...shared} />
        </ul>
      )}
    </>
  )
}

type FoldedProps = { title: string; items: readonly Evidence[]; selectedId: string | undefined; row: (item: Evidence) => ReactNode }

/** The members of an archive; only an open group has rows, so that hundreds of files cost nothing. */
function Folded({ title, items, selectedId, row }: FoldedProps) {
  const isUsual = items.length <= 12 || (items.length <= MAX_FLAT && items.some(({ id }) => id === selectedId))
  const [isOpen, setIsOpen] = useState<boolean>()
  if (items.length === 0) return null
  const isShown = isOpen ?? isUsual
  const unread = items.filter(({ state }) => state !== 'read').length
  return (
    <details className={styles.members} open={isShown} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {items.length} {title}
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

type RowProps = { caseId: string; isJudged: boolean; item: Evidence; isSelected: boolean; place: ReactNode; drags: Drags; onShow: (id: string) => void }

function EvidenceRow({ caseId, isJudged, item, isSelected, place, drags, onShow }: RowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toast = useToast()
  const retry = useRetryEvidence(caseId)
  const restore = useRestoreEvidence(caseId)
  const remove = useDeleteEvidence(caseId)
  const isGuest = useIsGuest()
  const name = nameOf(item)
  const source = useDragSource(drags)
  const showError = (error: Error) => toast(error.message, { isError: true })
  const undo = () => void restore.mutateAsync(item.id).catch(showError)
  // mutateAsync, because the callbacks of `mutate` do not run after this row unmounts.
  const discard = () => void remove.mutateAsync(item.id).then(() => toast(`Removed ${name}.`, { undo }), showError)
  return (
    <div className={styles.item} data-selected={isSelected || undefined} data-testid="evidence-row" data-state={item.state} {...(place && source)}>
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
        {place && <span className={places.place}>{place}</span>}
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
