import { type ReactNode, useState } from 'react'
import type { CaseOverview, Clause, Finding } from '../../api'
import { ShellCommand, fileNameOf, Unbroken } from '../../ui'
import { verdictWords } from '../../words'
import { fileOf, linesOf } from '../analyses'
import styles from './matrix.module.css'

type MatrixValue = CaseOverview['matrix']
type Observation = MatrixValue['observations'][number]
type Cell = Observation['cells'][number]
type Capture = MatrixValue['captures'][number]

const LETTERS = ['A', 'B', 'C'] as const
const MARKS: Readonly<Record<Cell['state'], string>> = { is: '✓', 'is not': '✗', 'not decided': '?', 'not looked at': '?', silent: '·' }

type Props = {
  matrix: MatrixValue
  findings: readonly Finding[]
  values?: Readonly<Record<string, string>> | undefined
  /** The control below a capture of the catalogue. */
  actionOf?: (capture: { name: string; title: string }) => ReactNode
  onShow: (evidenceId: string, line: number) => void
  onFinding: (finding: Finding) => void
  onClause: (finding: Finding, clause: Clause, citation: number) => void
}

/** Could it be something else: hypotheses, the observations that separate them, and the capture that decides. */
export function Matrix({ matrix, findings, values, actionOf, onShow, onFinding, onClause }: Props) {
  const { hypotheses, observations, captures } = matrix
  const [chosen, setChosen] = useState<string>()
  const capture = captures.find(({ run }) => run === chosen) ?? captures[0]
  if (hypotheses.length === 0 && !capture) return null
  const findingOf = (at: number) => findings.find(({ fingerprint }) => fingerprint === hypotheses[at]?.fingerprint)
  const openCell = (cell: Cell, at: number) => {
    const finding = findingOf(at)
    const clause = finding?.clauses.find(({ id }) => id === cell.clause)
    const [citation] = cell.citations
    if (finding && clause && clause.citations.length > 0) onClause(finding, clause, 0)
    else if (citation) onShow(citation.evidence_id, citation.first_line)
  }
  const choose = (name: string) => setChosen(captures.find((one) => one.name === name)?.run)
  return (
    <section className={styles.matrix} aria-labelledby="matrix-title" data-testid="matrix">
      <h3 id="matrix-title">{hypotheses.length > 0 ? 'Could it be something else?' : 'Next'}</h3>
      {capture && <NextCapture capture={capture} values={values} action={capture.name !== '' && actionOf?.(capture)} />}
      {captures.length > 1 && (
        <p className={styles.others}>
          {captures.map((one) => (
            <button key={one.run} type="button" aria-pressed={one === capture} onClick={() => setChosen(one.run)}>
              {one.title || 'Next capture'}
            </button>
          ))}
        </p>
      )}
      {hypotheses.length > 0 && (
        <ol className={styles.hypotheses} aria-label="Hypotheses">
          {hypotheses.map((one, at) => (
            <li key={one.text}>
              <b>{LETTERS[at]}</b> <span className={styles.verdict}>{verdictWords(one.verdict ?? 'unknown')}</span> <HypothesisName text={one.text} finding={findingOf(at)} onFinding={onFinding} />
            </li>
          ))}
        </ol>
      )}
      {observations.length > 0 && (
        <>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Observation</th>
                {hypotheses.map((one, at) => (
                  <th key={one.text} scope="col" title={one.text}>
                    {LETTERS[at]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {observations.map((row) => (
                <tr key={row.title}>
                  <th scope="row">
                    <Unbroken text={row.title} />
                    {row.measured && <span className={styles.measured}> {row.measured}</span>}
                  </th>
                  {row.cells.map((cell, at) => (
                    <td key={LETTERS[at]} data-state={cell.state}>
                      <CellMark cell={cell} row={row} letter={LETTERS[at] ?? ''} onOpen={() => openCell(cell, at)} onCapture={() => choose(row.capture)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p className={styles.legend}>✓ as the cause needs it · ✗ against it · ? not decided or not looked at</p>
        </>
      )}
    </section>
  )
}

function HypothesisName({ text, finding, onFinding }: { text: string; finding: Finding | undefined; onFinding: (finding: Finding) => void }) {
  if (!finding) return text
  return (
    <button type="button" className={styles.name} onClick={() => onFinding(finding)}>
      {text}
    </button>
  )
}

function CellMark({ cell, row, letter, onOpen, onCapture }: { cell: Cell; row: Observation; letter: string; onOpen: () => void; onCapture: () => void }) {
  const mark = MARKS[cell.state]
  if (cell.state === 'silent') return <span className="sr-only">says nothing of it</span>
  const [citation] = cell.citations
  const where = citation ? `, ${fileOf(citation)}${linesOf(citation)}` : ''
  const isOpen = cell.state === 'not decided' || cell.state === 'not looked at'
  const label = `${letter}: ${cell.state}${cell.reason && `, ${cell.reason}`}${where}`
  if (isOpen ? row.capture === '' : !citation) {
    return (
      <span title={label}>
        <span aria-hidden="true">{mark}</span>
        <span className="sr-only">{label}</span>
      </span>
    )
  }
  return (
    <button type="button" title={label} aria-label={isOpen ? `${label}: show its capture` : label} onClick={isOpen ? onCapture : onOpen}>
      {mark}
    </button>
  )
}

function NextCapture({ capture, values, action }: { capture: Capture; values: Props['values']; action: ReactNode }) {
  const rows = [
    ['Cost', capture.cost],
    ['Needs', capture.needs.join(', ')],
    ['Unsafe if', capture.unsafe_if.join('; ')],
    ['Alternatives', capture.alternatives.join('; ')],
  ].filter(([, text]) => text)
  return (
    <div className={styles.next} data-testid="next-capture" data-capture={capture.name}>
      <p>
        {capture.title && <b>{capture.title}</b>}
        {capture.decides && <span className={styles.decides}>{capture.title ? ' · ' : ''}decides {capture.decides}</span>}
      </p>
      <ShellCommand text={capture.run} name={capture.title || 'Next capture'} values={values} isFirst file={fileNameOf(capture.name || capture.title)} />
      <dl className={styles.small}>
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {action}
    </div>
  )
}
