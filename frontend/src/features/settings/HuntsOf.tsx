import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Hunt, type HuntedCase, useCancelHunt, useHuntedCases, type useHunts, useResumeHunt } from '../../api'
import { Button, More, Notice, RelativeTime, Tag, useToast } from '../../ui'
import { changeWord } from './changes'
import { commitOf, huntWords } from './libraries'
import styles from './settings.module.css'

/** Retro-hunts with progress, and the cases that one of them changes. */
export function HuntsOf({ hunts }: { hunts: ReturnType<typeof useHunts> }) {
  const [chosen, setChosen] = useState<string>()
  const found = hunts.data?.items
  const shown = found?.find((hunt) => hunt.id === chosen) ?? found?.[0]
  return (
    <>
      <h2>Retro-hunts</h2>
      {hunts.error && <Notice what="The hunts could not be loaded." retry={() => void hunts.refetch()}>{hunts.error.message}</Notice>}
      {hunts.isPending && <p role="status">Loading the hunts…</p>}
      {found?.length === 0 && <p className={styles.soft}>No hunt yet.</p>}
      {found && found.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Retro-hunts">
          <table className={styles.table} data-testid="hunts">
            <thead>
              <tr>
                <th scope="col">Began</th>
                <th scope="col">Version</th>
                <th scope="col">State</th>
                <th scope="col">Cases</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {found.map((hunt) => (
                <tr key={hunt.id} aria-current={hunt.id === shown?.id || undefined}>
                  <td>
                    <RelativeTime at={hunt.created_at} />, {hunt.author}
                  </td>
                  <td>
                    {hunt.library} <code>{commitOf(hunt)}</code>
                  </td>
                  <td>
                    <State hunt={hunt} />
                  </td>
                  <td>{huntWords(hunt)}</td>
                  <td className={styles.actions}>
                    <Button aria-pressed={hunt.id === shown?.id} aria-label={`Show cases of the hunt of ${hunt.created_at.slice(0, 16)}`} onClick={() => setChosen(hunt.id)}>
                      Show cases
                    </Button>
                    <Steer hunt={hunt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown && <Cases key={shown.id} hunt={shown} />}
    </>
  )
}

function State({ hunt }: { hunt: Hunt }) {
  const share = `${hunt.done.toLocaleString('en')} of ${hunt.total.toLocaleString('en')}`
  if (hunt.state === 'running')
    return (
      <>
        <progress value={hunt.done} max={Math.max(hunt.total, 1)} aria-label="Cases done" /> {share}
      </>
    )
  if (hunt.state === 'done') return <Tag tone="calm">{hunt.applies ? 'Applied' : 'Preview'}</Tag>
  return (
    <>
      <Tag tone="suspect">{hunt.state === 'cancelled' ? 'Cancelled' : 'Failed'}</Tag> {share}, {hunt.reason}
    </>
  )
}

function Steer({ hunt }: { hunt: Hunt }) {
  const cancel = useCancelHunt()
  const resume = useResumeHunt()
  const toast = useToast()
  const onError = (error: Error) => toast(error.message, { isError: true })
  if (hunt.state === 'done') return null
  const isRunning = hunt.state === 'running'
  return (
    <Button disabled={cancel.isPending || resume.isPending} onClick={() => (isRunning ? cancel : resume).mutate(hunt.id, { onError })}>
      {isRunning ? 'Cancel' : 'Resume'}
    </Button>
  )
}

function Cases({ hunt }: { hunt: Hunt }) {
  const cases = useHuntedCases(hunt.id, hunt.state === 'running')
  const found = cases.data?.pages.flatMap((page) => page.items)
  const title = `Cases of the ${hunt.applies ? 'hunt' : 'preview'} of ${hunt.library} ${commitOf(hunt)}`
  return (
    <>
      <h2>{title}</h2>
      {cases.error && !cases.isFetchNextPageError && <Notice what="The cases could not be loaded." retry={() => void cases.refetch()}>{cases.error.message}</Notice>}
      {cases.isPending && <p role="status">Loading the cases…</p>}
      {found?.length === 0 && <p className={styles.soft}>{hunt.state === 'running' ? 'No change yet.' : 'No verdict changes in a case that you see.'}</p>}
      {found && found.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label={title}>
          <table className={styles.table} data-testid="hunted-cases">
            <thead>
              <tr>
                <th scope="col">Case</th>
                <th scope="col">Change</th>
                <th scope="col">Verdicts and the lines that decide</th>
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

function CaseRow({ one }: { one: HuntedCase }) {
  return (
    <tr>
      <td>
        <Link to="/cases/$caseId" params={{ caseId: String(one.case_number) }}>
          Case {one.case_number}
        </Link>{' '}
        {one.case_title}
      </td>
      <td>
        <Tag tone={one.change === 'failed' || one.change === 'lost_match' ? 'suspect' : 'match'}>{changeWord(one.change)}</Tag>
        {one.reason && <div className={styles.soft}>{one.reason}</div>}
      </td>
      <td className={styles.words}>
        {one.verdicts.map((verdict) => (
          <div key={`${verdict.host} ${verdict.phase} ${verdict.signature}`}>
            {verdict.before ?? 'none'} → {verdict.after ?? 'none'}: <code>{verdict.signature}</code>
            {verdict.host && `, ${verdict.host}`}
            {verdict.lines.map((line) => (
              <div key={line.condition} className={styles.soft}>
                {line.condition}
                {line.path && `, ${line.path}:${line.first_line}`}
              </div>
            ))}
          </div>
        ))}
      </td>
    </tr>
  )
}
