import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type ProposalState, type ProposalSummary, useProposals } from '../../api'
import { More, Notice, RelativeTime, Segments, Tag, type Tone } from '../../ui'
import styles from './workbench.module.css'

export const STATE_TONES: Record<ProposalState, Tone> = { proposed: 'suspect', accepted: 'calm', rejected: 'plain', withdrawn: 'plain' }
const STATES = [
  { value: 'proposed', label: 'Open' },
  { value: '', label: 'All' },
] as const

/** Proposed signatures: open ones, or all. */
export function ProposalsPage({ state, onState }: { state: ProposalState | ''; onState: (state: ProposalState | '') => void }) {
  const found = useProposals(state)
  const rows = found.data?.pages.flatMap((page) => page.items)
  useEffect(() => {
    document.title = 'Proposed signatures · Casebook'
  }, [])
  return (
    <div className={styles.page} data-testid="proposals">
      <header className={styles.head}>
        <h1>Proposed signatures</h1>
        <Link to="/signatures/new" className={styles.link}>
          New signature
        </Link>
      </header>
      <div>
        <Segments label="State" value={state === 'proposed' ? 'proposed' : ''} options={STATES} onChange={onState} />
      </div>
      {found.error && !found.isFetchNextPageError && (
        <Notice what="The proposals could not be loaded." retry={() => void found.refetch()}>
          {found.error.message}
        </Notice>
      )}
      {found.isPending && <p role="status">Loading the proposals…</p>}
      {rows?.length === 0 && <p className={styles.soft}>{state === 'proposed' ? 'No proposal waits for a review.' : 'Nothing was proposed yet.'} Write a signature, and propose it for a library of your team.</p>}
      {rows && rows.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Proposals">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Signature</th>
                <th scope="col">Library</th>
                <th scope="col">State</th>
                <th scope="col">Author</th>
                <th scope="col">Changed</th>
              </tr>
            </thead>
            <tbody>{rows.map((row) => <Row key={row.id} row={row} />)}</tbody>
          </table>
        </div>
      )}
      <More of={found} label="Show older proposals" />
    </div>
  )
}

function Row({ row }: { row: ProposalSummary }) {
  return (
    <tr>
      <td>
        <Link to="/signature-proposals/$proposal" params={{ proposal: row.id }}>
          {row.signature_id}
        </Link>
      </td>
      <td>{row.library}</td>
      <td>
        <Tag tone={STATE_TONES[row.state]}>{row.state}</Tag>
      </td>
      <td>{row.author}</td>
      <td>
        <RelativeTime at={row.updated_at} />
      </td>
    </tr>
  )
}
