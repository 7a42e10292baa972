import { type ReactNode, useEffect, useState } from 'react'
import { type ProblemKind, useIsCurator, useMergeProblems, useProblems, useTakeBackProblem } from '../../api'
import { Button, DataTable, More, Notice, RelativeTime, Segments, useToast } from '../../ui'
import styles from './problems.module.css'
import { toggled } from './selection'
import { TitleDialog } from './TitleDialog'

type Props = { kind: ProblemKind; onKind: (kind: ProblemKind) => void; linkTo: (key: string, text: string) => ReactNode }

/** Problems by the number of cases: signatures, or what no signature explains. */
export function ProblemsPage({ kind, onKind, linkTo }: Props) {
  const problems = useProblems(kind)
  const items = problems.data?.pages.flatMap((page) => page.items) ?? []
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setIsAsking] = useState(false)
  const mayMerge = useIsCurator() && kind === 'cluster'
  const merge = useMergeProblems()
  const takeBack = useTakeBackProblem()
  const toast = useToast()
  const chosen = items.filter(({ key }) => mayMerge && selected.has(key))
  const save = (title: string) =>
    merge.mutate(
      { keys: chosen.map(({ key }) => key), title },
      {
        onSuccess: ({ key }) => {
          setIsAsking(false)
          setSelected(new Set())
          toast('Merged.', { undo: () => takeBack.mutate(key, { onError: (error) => toast(error.message, { isError: true }) }) })
        },
      },
    )
  useEffect(() => {
    document.title = 'Problems · Casebook'
  }, [])
  return (
    <div className={styles.page} data-testid="problems">
      <header className={styles.head}>
        <div>
          <h1>Problems</h1>
          <p className={styles.soft}>What cases have in common. Cases that no signature explains form a cluster by equal wait root, equal log class and kind of device, or equal heaviest functions.</p>
        </div>
        <Segments
          label="Kind"
          value={kind}
          options={[
            { value: 'signature', label: 'Signatures' },
            { value: 'cluster', label: 'Unexplained', hint: 'The work list of curators' },
          ]}
          onChange={onKind}
        />
      </header>
      {problems.error && !problems.isFetchNextPageError && (
        <Notice what="The problems could not be loaded." retry={() => void problems.refetch()}>
          {problems.error.message}
        </Notice>
      )}
      {problems.isPending && <div className={styles.waiting} role="status" aria-label="Loading problems" />}
      {problems.data && items.length === 0 && (
        <p className={styles.none}>{kind === 'cluster' ? 'No unexplained cluster: every judged case has a signature, or shares nothing with another.' : 'No case has a signature yet.'}</p>
      )}
      {chosen.length > 1 && (
        <p>
          <Button onClick={() => setIsAsking(true)}>Merge {chosen.length}…</Button>
        </p>
      )}
      {isAsking && (
        <TitleDialog
          title={`Merge ${chosen.length} problems`}
          explanation="Their cases become one problem with this title, for everybody. It can be taken back."
          action="Merge"
          proposal={chosen[0]?.title ?? ''}
          error={merge.error}
          isSaving={merge.isPending}
          onSave={save}
          onClose={() => setIsAsking(false)}
        />
      )}
      {items.length > 0 && (
        <DataTable label="Problems" columns={['Problem', 'Cases', 'Open', 'First seen', 'Last seen']}>
          {items.map((one) => (
            <tr key={one.key}>
              <th scope="row">
                {mayMerge && <input type="checkbox" className={styles.check} aria-label={`Select ${one.title}`} checked={selected.has(one.key)} onChange={() => setSelected(toggled(selected, one.key))} />}
                {linkTo(one.key, one.title)}
              </th>
              <td>{one.cases.toLocaleString('en')}</td>
              <td>{one.open.toLocaleString('en')}</td>
              <td>
                <RelativeTime at={one.first_seen} />
              </td>
              <td>
                <RelativeTime at={one.last_seen} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <More of={problems} label="More problems" />
    </div>
  )
}
