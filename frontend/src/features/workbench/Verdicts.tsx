import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Finding, type SignatureCheck, useSignatureCheck, useSignatureCheckOnCase } from '../../api'
import { Fold, Notice, Tag } from '../../ui'
import { FindingCard, hostAndPhase, VERDICT_TONES } from '../findings'
import { verdictLabel } from '../../words'
import styles from './workbench.module.css'

type Props = {
  text: string
  /** Number of the case to judge; "" for none. */
  caseId: string
  onCase: (caseId: string) => void
  onLine: (line: number) => void
}

/** What a signature says as it is written: problems, the chosen case, its fixtures, look-alikes. */
export function Verdicts({ text, caseId, onCase, onLine }: Props) {
  const check = useSignatureCheck(text)
  const problems = check.data?.problems ?? []
  return (
    <div className={styles.verdicts} aria-busy={check.isFetching} data-testid="signature-check" data-state={check.isFetching ? 'checking' : check.error ? 'failed' : 'checked'}>
      <p role="status" className={styles.soft}>
        {check.isFetching ? 'Checking…' : check.data && (problems.length === 0 ? 'No problem found.' : problems.length === 1 ? '1 problem' : `${problems.length} problems`)}
      </p>
      {check.error && (
        <Notice what="The signature could not be checked." retry={() => void check.refetch()}>
          {check.error.message}
        </Notice>
      )}
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label="Problems">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.text}`}>
              {problem.line > 0 && (
                <button type="button" onClick={() => onLine(problem.line)}>
                  Line {problem.line}
                </button>
              )}{' '}
              {problem.text}
            </li>
          ))}
        </ul>
      )}
      <OnCase text={text} caseId={caseId} onCase={onCase} />
      {check.data && <OnFixtures check={check.data} />}
    </div>
  )
}

function OnCase({ text, caseId, onCase }: Pick<Props, 'text' | 'caseId' | 'onCase'>) {
  const [typed, setTyped] = useState(caseId)
  const check = useSignatureCheckOnCase(caseId, text)
  const findings = check.data?.findings ?? []
  return (
    <section aria-label="Case">
      <h2>On a case</h2>
      <form
        className={styles.caseForm}
        onSubmit={(event) => {
          event.preventDefault()
          onCase(typed.trim())
        }}
      >
        <label>
          Case number
          <input value={typed} inputMode="numeric" pattern="[0-9]*" maxLength={12} placeholder="312" onChange={(event) => setTyped(event.target.value)} />
        </label>
        <button type="submit">Judge</button>
      </form>
      {caseId === '' && <p className={styles.soft}>Choose a case, and each change of the text judges it again.</p>}
      {check.error && (
        <Notice what={`Case ${caseId} could not be judged.`} retry={() => void check.refetch()}>
          {check.error.message}
        </Notice>
      )}
      {caseId !== '' && check.isPending && !check.error && <p role="status">Judging case {caseId}…</p>}
      {check.data && findings.length === 0 && <p className={styles.soft}>{check.data.problems.length > 0 ? 'Not judged: the signature has problems.' : 'The case has no evidence that was read.'}</p>}
      {findings.map((finding, at) => (
        <OneFinding key={finding.id} finding={finding} isOpen={at === 0} />
      ))}
    </section>
  )
}

function OneFinding({ finding, isOpen }: { finding: Finding; isOpen: boolean }) {
  const [selected, setSelected] = useState<string>()
  const card = <FindingCard finding={finding} linkOf={(id) => <code>{id}</code>} selectedClause={selected} onClause={(clause) => setSelected(clause.id)} />
  return isOpen ? card : <Fold summary={`${verdictLabel(finding)}${hostAndPhase(finding) && `, ${hostAndPhase(finding)}`}`}>{card}</Fold>
}

function OnFixtures({ check }: { check: SignatureCheck }) {
  const firing = check.look_alikes.filter(({ fires }) => fires)
  if (check.problems.length > 0 && check.fixtures.length === 0 && check.look_alikes.length === 0) return null
  return (
    <>
      <section aria-label="Fixtures">
        <h2>On its fixtures</h2>
        {check.fixtures.length === 0 && <p className={styles.soft}>No fixtures: Casebook ships none for this id.</p>}
        <ul className={styles.rows}>
          {check.fixtures.map((one) => (
            <li key={one.fixture}>
              <Tag tone={one.problems.length > 0 ? 'match' : 'calm'}>{one.problems.length > 0 ? 'not as expected' : 'as expected'}</Tag> <code>{one.fixture}</code> {one.verdict}
              {one.problems.map((problem) => (
                <div key={problem} className={styles.soft}>
                  {problem}
                </div>
              ))}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Look-alikes">
        <h2>Look-alikes</h2>
        <p className={styles.soft}>
          {check.look_alikes.length === 0
            ? 'No other signature looks at the same evidence.'
            : `Fires on ${firing.length} of ${check.look_alikes.length} recordings of other problems that hold the same kind of evidence.`}
          {check.unread > 0 && ` ${check.unread} were not judged: too large, or no time left; \`casebook signature test\` judges all.`}
        </p>
        <ul className={styles.rows}>
          {firing.map((one) => (
            <li key={`${one.signature} ${one.fixture}`} data-testid="look-alike">
              <Tag tone={VERDICT_TONES[one.verdict === 'match' ? 'match' : 'suspect']}>{one.verdict}</Tag>{' '}
              <Link to="/signatures/$area/$name" params={{ area: one.signature.split('/')[0] ?? '', name: one.signature.split('/')[1] ?? '' }} search={{ evidence: one.fixture }}>
                {one.signature}
              </Link>{' '}
              <code>{one.fixture}</code>
            </li>
          ))}
        </ul>
        {firing.length > 0 && <p className={styles.soft}>Each is the same problem, or needs an excluding condition.</p>}
      </section>
    </>
  )
}
