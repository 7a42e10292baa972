import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useCasesWithFrame } from '../../api'
import { exactly, format } from '../../profile'
import { Button, More, Notice, RelativeTime } from '../../ui'
import styles from './flamegraph.module.css'

type Props = { name: string; profileId: string; onClose: () => void }

/** Where else a function was seen: every case once, by the share it has there. */
export function FrameCases({ name, profileId, onClose }: Props) {
  const answer = useCasesWithFrame(name)
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [name])
  const told = answer.data?.pages[0]?.body
  const items = answer.data?.pages.flatMap((page) => page.body.items) ?? []
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (told) box.current?.scrollIntoView({ block: 'nearest' })
  }, [told])
  return (
    <section ref={box} className={styles.cases} aria-labelledby="frame-cases" data-testid="frame-cases">
      <header className={styles.casesHead}>
        <h2 id="frame-cases" ref={head} tabIndex={-1}>
          Cases with <code>{name}</code>
        </h2>
        <Button onClick={onClose}>Close</Button>
      </header>
      {answer.error && !answer.isFetchNextPageError && (
        <Notice what="The cases could not be looked up." retry={() => void answer.refetch()}>
          {answer.error.message}
        </Notice>
      )}
      {!told && !answer.error && <p role="status">Looking it up…</p>}
      {told && (
        <>
          {items.length > 0 && (
            <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Table of cases">
              <table className={styles.table}>
                <thead>
                  <tr>
                    <th scope="col" className={styles.number}>
                      Total
                    </th>
                    <th scope="col" className={styles.number}>
                      Self
                    </th>
                    <th scope="col">Case</th>
                    <th scope="col">Where it weighs most</th>
                    <th scope="col">Opened</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((item) => (
                    <tr key={item.case_id}>
                      <td className={styles.number}>{item.has_weights ? format.share(item.total_share) : 'in stacks'}</td>
                      <td className={styles.number}>{item.has_weights && item.self_share > 0 ? format.share(item.self_share) : '–'}</td>
                      <td>
                        <Link to="/cases/$caseId" params={{ caseId: String(item.case_number) }} search={{ profile: item.profile_id, q: exactly(name) }}>
                          {item.case_number} {item.case_title}
                        </Link>
                        {item.profile_id === profileId && <span className={styles.soft}> · this profile</span>}
                        {item.case_state === 'closed' && <span className={styles.soft}> · closed</span>}
                      </td>
                      <td className={styles.soft}>
                        {item.evidence_name} · {item.event || item.what}
                        {item.profiles > 1 && `, of ${item.profiles} profiles`}
                      </td>
                      <td className={styles.soft}>
                        <RelativeTime at={item.case_created_at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <More of={answer} label="More cases" />
          <p className={styles.soft}>
            {told.count === 0 && 'In no profile is it among the heaviest functions. '}
            {told.count > items.length && `The first ${items.length} of ${format.count(told.count)} cases. `}
            Shares are of each whole recording; stacks without weights have none. Known are the {told.names_per_profile} heaviest functions of every profile
            {told.unindexed_profiles > 0 && `; ${format.count(told.unindexed_profiles)} ${told.unindexed_profiles === 1 ? 'profile is' : 'profiles are'} still being looked through`}.
          </p>
        </>
      )}
    </section>
  )
}
