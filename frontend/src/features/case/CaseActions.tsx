import { useRef, useState } from 'react'
import { type Case, useCaseAccess, useMe } from '../../api'
import { Button, copy, CopyButton, type MenuItem, MenuButton, useKeys, usePageActions, useToast } from '../../ui'
import { useIssueItems } from '../findings'
import { SignatureDraftDialog } from '../signatureDrafts'
import { DraftStoryDialog } from '../stories'
import { AccessDialog, accessLabel } from './AccessDialog'
import styles from './case.module.css'
import { CollectDialog } from './CollectDialog'

type Props = { caseId: string; head: Case; isSaving: boolean; onClose: () => void; onReopen: () => void }
type Open = 'collect' | 'access' | 'story' | 'signature' | null

/** The actions of a case: the primary one, the link, and a menu with the others. */
export function CaseActions({ caseId, head, isSaving, onClose, onReopen }: Props) {
  const [open, setOpen] = useState<Open>(null)
  const link = useRef<HTMLSpanElement>(null)
  const access = useCaseAccess(caseId).data
  const me = useMe().data
  const toast = useToast()
  const close = () => setOpen(null)
  useKeys({ y: () => link.current?.querySelector('button')?.click(), c: () => setOpen('collect') })
  const items: MenuItem[] = [
    ...(access ? [{ label: 'Access', hint: accessLabel(access), act: () => setOpen('access') }] : []),
    ...(me && me.role !== 'viewer' ? [{ label: 'Draft story', act: () => setOpen('story') }] : []),
    ...(me && me.role !== 'viewer' && head.state === 'closed' ? [{ label: 'Draft signature', act: () => setOpen('signature') }] : []),
    ...useIssueItems(caseId),
    { label: 'Print', act: () => window.print() },
    { label: head.state === 'open' ? 'Close case' : 'Reopen', startsGroup: true, act: head.state === 'open' ? onClose : onReopen },
  ]
  const group = 'Actions'
  usePageActions([
    { group, label: 'Collect', hint: 'c', act: () => setOpen('collect') },
    { group, label: 'Copy link', hint: 'y', act: () => void copy(window.location.href).then(() => toast('Link copied.')) },
    ...items.map(({ label, hint, act = close }) => ({ group, label, hint, act })),
  ])
  return (
    <span className={styles.headerActions}>
      <Button aria-haspopup="dialog" title="Run the collector on the affected host (c)" onClick={() => setOpen('collect')}>
        Collect
      </Button>
      <span ref={link}>
        <CopyButton label="Copy link" text={() => window.location.href} />
      </span>
      <MenuButton label="More" items={items} isDisabled={isSaving} />
      {open === 'collect' && <CollectDialog caseId={caseId} onClose={close} />}
      {open === 'access' && access && <AccessDialog caseId={caseId} access={access} onClose={close} />}
      {open === 'signature' && <SignatureDraftDialog caseId={caseId} head={head} onClose={close} />}
      {open === 'story' && <DraftStoryDialog caseId={caseId} onClose={close} />}
    </span>
  )
}
