import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ReprocessedCase, type ReprocessRun, useCancelReprocess, useReprocess, useReprocessCount, useReprocessedCases, useReprocessRuns } from '../../api'
import { Button, More, Notice, RelativeTime, Segments, Tag, useToast } from '../../ui'
import { changeCounts, changeWord, selectionWords, workWords } from './changes'
import styles from './settings.module.css'

/** Runs that read and judge stored cases again, and what they changed. */
export function ChangesSection() {
  const runs = useReprocessRuns()
  const [chosen, setChosen] = useState<string>()
  const found = runs.data?.pages.flatMap((page) => page.items)
  const shown = found?.find((run) => run.id === chosen) ?? found?.[0]
  return (
    <>
      <h1>What changed</h1>
      <p className={styles.soft}>
        After an upgrade, stored cases are read and judged again in the background, one at a time, while no other work is due. A case keeps its verdicts until the new ones are whole.
      </p>
      <Outdated isRunning={found?.some((run) => run.state === 'running') ?? true} />
      <h2>Runs</h2>
      {runs.error && !runs.isFetchNextPageError && <Notice what="The runs could not be loaded." retry={() => void runs.refetch()}>{runs.error.message}</Notice>}
      {runs.isPending && <p role="status">Loading the runs…</p>}
      {found?.length === 0 && <p className={styles.soft}>No run yet.</p>}
      {found && found.length > 0 && <RunTable found={found} shown={shown?.id} onShow={setChosen} />}
      <More of={runs} label="Show older runs" />
      {shown && <Cases key={shown.id} run={shown} />}
    </>
  )
}

function Outdated({ isRunning }: { isRunning: boolean }) {
  const count = useReprocessCount()
  const begin = useReprocess()
  const toast = useToast()
  if (count.error) return <Notice what="The outdated cases could not be counted." retry={() => void count.refetch()}>{count.error.message}</Notice>
  if (!count.data) return <p role="status">Counting outdated cases…</p>
  const work = workWords(count.data)
  if (work === '') return <p data-testid="outdated">Every case was read and judged by this version.</p>
  return (
    <p data-testid="outdated">
      Another version read or judged {work}.{' '}
      <Button disabled={isRunning || begin.isPending} onClick={() => begin.mutate(undefined, { onError: (error) => toast(error.message, { isError: true }) })}>
        Reprocess
      </Button>
    </p>
  )
}

type TableProps = { found: readonly ReprocessRun[]; shown: string | undefined; onShow: (id: string) => void }

function RunTable({ found, shown, onShow }: TableProps) {
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label="Runs">
      <table className={styles.table} data-testid="reprocess-runs">
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">By</th>
            <th scope="col">Cases</th>
            <th scope="col">State</th>
            <th scope="col">Changes</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {found.map((run) => (
            <tr key={run.id} aria-current={run.id === shown || undefined}>
              <td>
                <RelativeTime at={run.created_at} />
              </td>
              <td>{run.author}</td>
              <td>{selectionWords(run)}</td>
              <td>
                <State run={run} />
              </td>
              <td>
                {changeCounts(run).map(([word, count]) => (
                  <div key={word} className={styles.unbroken}>
                    {word}: {count.toLocaleString('en')}
                  </div>
                ))}
              </td>
              <td className={styles.actions}>
                <Button aria-pressed={run.id === shown} aria-label={`Show cases of the run of ${run.created_at.slice(0, 16)}`} onClick={() => onShow(run.id)}>
                  Show cases
                </Button>
                {run.state === 'running' && <Cancel run={run} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function State({ run }: { run: ReprocessRun }) {
  const share = `${run.done.toLocaleString('en')} of ${run.total.toLocaleString('en')}`
  if (run.state === 'running')
    return (
      <>
        <progress value={run.done} max={Math.max(run.total, 1)} aria-label="Cases done" /> {share}
      </>
    )
  if (run.state === 'done') return <Tag tone="calm">Done, {run.done.toLocaleString('en')}</Tag>
  return (
    <>
      <Tag tone="suspect">{run.state === 'cancelled' ? 'Cancelled' : 'Failed'}</Tag> {share}, {run.reason}
    </>
  )
}

function Cancel({ run }: { run: ReprocessRun }) {
  const cancel = useCancelReprocess()
  const toast = useToast()
  return (
    <Button disabled={cancel.isPending} onClick={() => cancel.mutate(run.id, { onError: (error) => toast(error.message, { isError: true }) })}>
      Cancel
    </Button>
  )
}

const FILTERS = [
  { value: 'changed', label: 'Changed only' },
  { value: 'all', label: 'All' },
] as const

function Cases({ run }: { run: ReprocessRun }) {
  const [filter, setFilter] = useState<'changed' | 'all'>('changed')
  const cases = useReprocessedCases(run.id, filter === 'changed', run.state === 'running')
  const found = cases.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <h2>Cases of this run</h2>
      <div>
        <Segments label="Cases shown" value={filter} options={FILTERS} onChange={setFilter} />
      </div>
      {cases.error && !cases.isFetchNextPageError && <Notice what="The cases could not be loaded." retry={() => void cases.refetch()}>{cases.error.message}</Notice>}
      {cases.isPending && <p role="status">Loading the cases…</p>}
      {found?.length === 0 && <p className={styles.soft}>{filter === 'changed' ? 'Nothing changed in any case.' : 'No case is done.'}</p>}
      {found && found.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Cases of this run">
          <table className={styles.table} data-testid="reprocessed-cases">
            <thead>
              <tr>
                <th scope="col">Case</th>
                <th scope="col">Change</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>{found.map((one) => <CaseRow key={one.case_id} one={one} />)}</tbody>
          </table>
        </div>
      )}
      <More of={cases} label="Show more cases" />
    </>
  )
}

const TONES = { lost_match: 'match', new_match: 'match', suspect_to_match: 'match', suspect: 'suspect', headline: 'plain', none: 'calm', failed: 'suspect' } as const

function CaseRow({ one }: { one: ReprocessedCase }) {
  return (
    <tr>
      <td className={styles.unbroken}>
        <Link to="/cases/$caseId" params={{ caseId: String(one.case_number) }}>
          Case {one.case_number}
        </Link>
      </td>
      <td>
        <Tag tone={TONES[one.change]}>{changeWord(one.change)}</Tag>
        {one.reason && <div className={styles.soft}>{one.reason}</div>}
      </td>
      <td className={styles.words}>
        {one.before}
        <Verdicts one={one} side="before" />
      </td>
      <td className={styles.words}>
        {one.after === one.before ? one.after && 'The same headline' : one.after}
        <Verdicts one={one} side="after" />
      </td>
    </tr>
  )
}

/** The verdicts that became another, as they were or are. */
function Verdicts({ one, side }: { one: ReprocessedCase; side: 'before' | 'after' }) {
  return one.verdicts.map((verdict) => (
    <div key={`${verdict.host} ${verdict.phase} ${verdict.signature}`} className={styles.soft}>
      {verdict[side] ?? 'no match'}: {verdict.signature}
      {verdict.host && `, ${verdict.host}`}
      {verdict.phase !== 'during' && `, ${verdict.phase}`}
    </div>
  ))
}
