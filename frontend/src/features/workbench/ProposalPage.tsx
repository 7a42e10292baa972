import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type Proposal, useMe, useProposal, useReviewProposal, useWithdrawProposal } from '../../api'
import { Button, Notice, PagePending, RelativeTime, Tag, useToast } from '../../ui'
import { STATE_TONES } from './ProposalsPage'
import { Verdicts } from './Verdicts'
import styles from './workbench.module.css'

const TextDifference = lazy(() => import('./TextDifference'))

type Props = { id: string; caseId: string; onCase: (caseId: string) => void }

/** One proposal: what it changes, its verdicts, and the decision of a curator. */
export function ProposalPage({ id, ...rest }: Props) {
  const found = useProposal(id)
  const me = useMe()
  if (found.error) {
    return (
      <div className={styles.page}>
        <Notice what="The proposal could not be loaded." retry={() => void found.refetch()}>
          {found.error.message}
        </Notice>
      </div>
    )
  }
  if (!found.data || !me.data) return <PagePending />
  const isCurator = me.data.role === 'curator' || me.data.role === 'admin'
  return <Review proposal={found.data} isCurator={isCurator} isAuthor={me.data.name === found.data.author} {...rest} />
}

function Review({ proposal, isCurator, isAuthor, caseId, onCase }: Omit<Props, 'id'> & { proposal: Proposal; isCurator: boolean; isAuthor: boolean }) {
  const { id, signature_id: signature, state, revision } = proposal
  useEffect(() => {
    document.title = `${signature} · Casebook`
  }, [signature])
  return (
    <div className={styles.page} data-testid="proposal" data-state={state}>
      <header className={styles.head}>
        <div>
          <p className={styles.soft}>
            <Link to="/signature-proposals">Proposed signatures</Link>
          </p>
          <h1>{signature}</h1>
          <p className={styles.soft}>
            <Tag tone={STATE_TONES[state]}>{state}</Tag> for {proposal.library} by {proposal.author}, revision {revision}, <RelativeTime at={proposal.updated_at} />
            {proposal.reviewer && `, reviewed by ${proposal.reviewer}`}
          </p>
        </div>
        {state === 'proposed' && (isAuthor || isCurator) && (
          <Link to="/signatures/new" search={{ proposal: id }} className={styles.link}>
            Edit
          </Link>
        )}
      </header>
      {proposal.comment && <p>{proposal.comment}</p>}
      {state === 'accepted' && (
        <p>
          It is part of the next version of {proposal.library}, which is in shadow once it is linted. {isCurator && <Link to="/settings/$page" params={{ page: 'libraries' }}>Preview and activate it</Link>}
        </p>
      )}
      {state === 'proposed' && <Decision proposal={proposal} isCurator={isCurator} isAuthor={isAuthor} />}
      <div className={styles.columns}>
        <section aria-label="Changes">
          <h2>{proposal.base ? 'Changes' : 'New signature'}</h2>
          <Suspense fallback={<p role="status">Loading the differences…</p>}>
            <TextDifference label={`Changes of ${signature}`} before={proposal.base} after={proposal.text} />
          </Suspense>
        </section>
        <Verdicts text={proposal.text} caseId={caseId} onCase={onCase} onLine={() => undefined} />
      </div>
    </div>
  )
}

function Decision({ proposal, isCurator, isAuthor }: { proposal: Proposal; isCurator: boolean; isAuthor: boolean }) {
  const [comment, setComment] = useState('')
  const review = useReviewProposal()
  const withdraw = useWithdrawProposal()
  const toast = useToast()
  const failed = review.error ?? withdraw.error
  const decide = (decision: 'accept' | 'reject') => review.mutate({ id: proposal.id, decision, revision: proposal.revision, comment })
  return (
    <section className={styles.decision} aria-label="Review">
      {isCurator && (
        <label>
          Comment
          <input value={comment} maxLength={2000} placeholder="Why it is rejected, or what is still to do" onChange={(event) => setComment(event.target.value)} />
        </label>
      )}
      <span className={styles.actions}>
        {isCurator && (
          <>
            <Button look="primary" disabled={review.isPending} onClick={() => decide('accept')}>
              Accept
            </Button>
            <Button disabled={review.isPending || comment.trim() === ''} title={comment.trim() === '' ? 'Say why in the comment' : undefined} onClick={() => decide('reject')}>
              Reject
            </Button>
          </>
        )}
        {isAuthor && (
          <Button disabled={withdraw.isPending} onClick={() => withdraw.mutate(proposal.id, { onSuccess: () => toast('The proposal is withdrawn.') })}>
            Withdraw
          </Button>
        )}
      </span>
      {!isCurator && <p className={styles.soft}>A curator reviews it.</p>}
      {failed && <Notice what="The proposal is unchanged.">{failed.message}</Notice>}
    </section>
  )
}
