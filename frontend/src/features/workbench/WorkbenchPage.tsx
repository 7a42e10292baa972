import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type Proposal, useChangeProposal, useMe, useProposal, usePropose, useSignatureCheck, useSignatureSchema, useSignatureText, useWithdrawProposal } from '../../api'
import { Button, Notice, PagePending, useToast } from '../../ui'
import { idIn, NEW_SIGNATURE, storedText, storeText, textKey } from './newSignature'
import { useSettled } from './useSettled'
import { Verdicts } from './Verdicts'
import styles from './workbench.module.css'
import type { Schema } from './yamlCompletion'

const YamlEditor = lazy(() => import('./YamlEditor'))
const CHECK_MS = 700

/** `case` is judged; `proposal` is edited; `library` is proposed for. */
export type EditorSearch = { case?: string; proposal?: string; library?: string }
type Props = {
  /** Id of the signature that is changed; "" for a new one. */
  signature: string
  search: EditorSearch
  onSearch: (search: EditorSearch) => void
  onProposal: (id: string) => void
}

/** A signature's YAML on the left, its verdicts on the right; proposed to a curator when it is done. */
export function WorkbenchPage({ signature, search, onSearch, onProposal }: Props) {
  const me = useMe()
  const [area = '', name = ''] = signature.split('/')
  const proposal = useProposal(search.proposal ?? '')
  const stored = useSignatureText(area, name, signature !== '' && !search.proposal)
  const error = me.error ?? (search.proposal ? proposal.error : stored.error)
  if (error) {
    return (
      <div className={styles.page}>
        <Notice what="The signature could not be loaded." retry={() => void (search.proposal ? proposal.refetch() : stored.refetch())}>
          {error.message}
        </Notice>
      </div>
    )
  }
  const text = search.proposal ? proposal.data?.text : signature === '' ? NEW_SIGNATURE : stored.data?.text
  if (!me.data || text === undefined) return <PagePending />
  const base = search.proposal ? (proposal.data?.base ?? '') : signature === '' ? '' : text
  const place = search.proposal ?? signature
  return (
    <Workbench
      key={place}
      storageKey={textKey(me.data.id, place)}
      opened={text}
      base={base}
      isOriginal={search.proposal !== undefined || (stored.data?.is_original ?? true)}
      proposal={search.proposal ? proposal.data : undefined}
      search={search}
      onSearch={onSearch}
      onProposal={onProposal}
    />
  )
}

type WorkbenchProps = Omit<Props, 'signature'> & { storageKey: string; opened: string; base: string; isOriginal: boolean; proposal: Proposal | undefined }

function Workbench({ storageKey, opened, base, isOriginal, proposal, search, onSearch, onProposal }: WorkbenchProps) {
  const [text, setText] = useState(() => storedText(storageKey) ?? opened)
  const [focus, setFocus] = useState<{ line: number }>()
  const [library, setLibrary] = useState(proposal?.library ?? search.library ?? '')
  const settled = useSettled(text, CHECK_MS)
  const schema = useSignatureSchema()
  const check = useSignatureCheck(settled)
  const toast = useToast()
  const propose = usePropose()
  const change = useChangeProposal()
  const withdraw = useWithdrawProposal()
  const id = idIn(text)
  const isChanged = text !== opened
  useEffect(() => {
    document.title = `${id || 'New signature'} · Casebook`
  }, [id])
  const edit = (next: string) => {
    setText(next)
    storeText(storageKey, next === opened ? null : next)
  }
  const onDone = (sent: Proposal) => {
    storeText(storageKey, null)
    onProposal(sent.id)
  }
  const send = () => {
    if (proposal) change.mutate({ id: proposal.id, text, revision: proposal.revision }, { onSuccess: onDone })
    else
      propose.mutate(
        { library, signature_id: id, text, base },
        {
          onSuccess: (sent) => {
            toast(`${sent.signature_id} is proposed for ${sent.library}. A curator reviews it.`, { undo: () => withdraw.mutate(sent.id, { onError: (problem) => toast(problem.message, { isError: true }) }) })
            onDone(sent)
          },
        },
      )
  }
  const failed = propose.error ?? change.error
  const isSending = propose.isPending || change.isPending
  return (
    <div className={styles.page} data-testid="workbench">
      <header className={styles.head}>
        <div>
          <p className={styles.soft}>
            <Link to="/library">Library</Link> · <Link to="/signature-proposals">Proposed signatures</Link>
          </p>
          <h1>{id || 'New signature'}</h1>
        </div>
        <form
          className={styles.propose}
          aria-label="Propose"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          {isChanged && (
            <Button onClick={() => edit(opened)} disabled={isSending}>
              Discard changes
            </Button>
          )}
          {!proposal && (
            <label>
              Library
              <input value={library} required maxLength={60} pattern="[a-z0-9]+(-[a-z0-9]+)*" title="Lower case, digits and hyphens" placeholder="payments" onChange={(event) => setLibrary(event.target.value)} />
            </label>
          )}
          <Button type="submit" look="primary" disabled={isSending || id === '' || !isChanged}>
            {proposal ? 'Update proposal' : 'Propose'}
          </Button>
        </form>
      </header>
      {failed && <Notice what="The signature was not proposed.">{failed.message} The text is kept in this browser.</Notice>}
      {!isOriginal && <p className={styles.soft}>This version stored values only: its comments are not shown.</p>}
      <div className={styles.columns}>
        <div className={styles.editor}>
          <Suspense fallback={<p role="status">Loading editor…</p>}>
            <YamlEditor label="signature.yaml" value={text} schema={schema.data as Schema | undefined} problems={settled === text ? (check.data?.problems ?? []) : []} focus={focus} onChange={edit} />
          </Suspense>
        </div>
        <Verdicts text={settled} caseId={search.case ?? ''} onCase={(next) => onSearch({ ...search, case: next })} onLine={(line) => setFocus({ line })} />
      </div>
    </div>
  )
}
