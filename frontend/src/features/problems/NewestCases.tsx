import { type ReactNode, useState } from 'react'
import { type ProblemRead, useIsCurator, useSplitProblem } from '../../api'
import { Button, DataTable, RelativeTime } from '../../ui'
import { toggled } from './selection'
import styles from './problems.module.css'
import { TitleDialog } from './TitleDialog'

type Props = { problem: ProblemRead; caseLink: (caseNumber: number, text: string) => ReactNode; onMade: (key: string) => void }

/** The newest cases of a problem; curators select those that are another one. */
export function NewestCases({ problem, caseLink, onMade }: Props) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isAsking, setIsAsking] = useState(false)
  const split = useSplitProblem()
  const maySplit = useIsCurator() && problem.kind === 'cluster'
  const save = (title: string) => split.mutate({ key: problem.key, cases: [...selected], title }, { onSuccess: ({ key }) => onMade(key) })
  return (
    <section>
      <div className={styles.head}>
        <h2>Newest cases</h2>
        {selected.size > 0 && <Button onClick={() => setIsAsking(true)}>Split off {selected.size}…</Button>}
      </div>
      <DataTable label="Newest cases" columns={['Case', 'Status', 'Owner', 'Hosts', 'Opened']}>
        {problem.newest.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              {maySplit && <input type="checkbox" className={styles.check} aria-label={`Select case ${one.number}`} checked={selected.has(one.number)} onChange={() => setSelected(toggled(selected, one.number))} />}
              {caseLink(one.number, `${one.number} ${one.name}`)}
            </th>
            <td>{one.status}</td>
            <td>{one.assignee?.name ?? '–'}</td>
            <td>{one.hosts.slice(0, 3).join(', ') || '–'}</td>
            <td>
              <RelativeTime at={one.created_at} />
            </td>
          </tr>
        ))}
      </DataTable>
      {isAsking && (
        <TitleDialog
          title={`Split off ${selected.size} ${selected.size === 1 ? 'case' : 'cases'}`}
          explanation="The selected cases become a problem with this title, for everybody. It can be taken back."
          action="Split off"
          proposal=""
          error={split.error}
          isSaving={split.isPending}
          onSave={save}
          onClose={() => setIsAsking(false)}
        />
      )}
    </section>
  )
}
