import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useCasesWithFrame } from '../../api'
import { exactly, format } from '../../profile'
import { Button, More, Notice, RelativeTime } from '../../ui'
import styles from './flamegraph.module.css'

type Props = { name: string; profileId: string; onClose: () => void }

/** The cases whose profiles contain a function, by its largest share. */
export function FrameCases({ name, profileId, onClose }: Props) {
  const response = useCasesWithFrame(name)
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [name])
  const firstPage = response.data?.pages[0]
  const items = response.data?.pages.flatMap((page) => page.items) ?? []
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (firstPage) box.current?.scrollIntoView({ block: 'nearest' })
  }, [firstPage])
  return (
    <section ref={box} className={styles.cases} aria-labelledby="frame-cases" data-testid="frame-cases">
      <header className={styles.casesHead}>
        <h2 id="frame-cases" ref={head} tabIndex={-1}>
          Cases with <code>{name}</code>
        </h2>
        <Button onClick={onClose}>Close</Button>
      </header>
      {response.error && !response.isFetchNextPageError && (
        <Notice what="The cases could not be loaded." retry={() => void response.refetch()}>
          {response.error.message}
        </Notice>
      )}
      {!firstPage && !response.error && <p role="status">Searching…</p>}
      {firstPage && (
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
                    <th scope="col">Profile with the largest share</th>
                    <th scope="col">Opened</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((item) => (
                    <tr key={item.case_id}>
                      <td className={styles.number}>{item.has_weights ? format.share(item.total_share) : 'unweighted'}</td>
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
          <More of={response} label="More cases" />
          <p className={styles.soft}>
            {firstPage.count === 0 && 'Not among the indexed functions of any profile. '}
            {firstPage.count > items.length && `First ${items.length} of ${format.count(firstPage.count)} cases. `}
            Shares relate to the whole recording. The index holds the {firstPage.names_per_profile} heaviest functions of each profile
            {firstPage.unindexed_profiles > 0 && `; ${format.count(firstPage.unindexed_profiles)} ${firstPage.unindexed_profiles === 1 ? 'profile is' : 'profiles are'} not indexed yet`}.
          </p>
        </>
      )}
    </section>
  )
}
