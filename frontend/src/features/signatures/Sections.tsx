import type { ReactNode } from 'react'
import { detectionUrl, type Signature } from '../../api'
import { ShellCommand, Tag } from '../../ui'
import { verdictWords } from '../../words'
import type { Capture, Clause, Fix, FixRecord, Kernel, SignatureDocument } from './document'
import styles from './signatures.module.css'

type SectionProps = { title: string; about?: string; children: ReactNode }

/** Page section with a heading. */
export function Section({ title, about, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {about && <p className={styles.soft}>{about}</p>}
      {children}
    </section>
  )
}

const ROLES: readonly { role: string; title: string }[] = [
  { role: 'core', title: 'Required' },
  { role: 'corroborates', title: 'Supporting' },
  { role: 'context', title: 'Context' },
  { role: 'rival', title: 'Alternatives' },
]

/** Conditions of a signature by role, with their checks per kind of evidence. */
export function Conditions({ clauses }: { clauses: Clause[] }) {
  return ROLES.map(({ role, title }) => {
    const own = clauses.filter((clause) => clause.role === role)
    return own.length === 0 ? null : (
      <div key={role} className={styles.group}>
        <h3>{title}</h3>
        <ul>
          {own.map((clause) => (
            <li key={clause.id} className={styles.clause}>
              <p>
                {clause.title}{' '}
                {clause.isVeto ? <span className={styles.soft}>excluding</span> : clause.weight > 0 && <span className={styles.soft}>weight {clause.weight}</span>}
              </p>
              <ul className={styles.checks}>
                {clause.checks.map((check) => (
                  <li key={check.kind + check.text}>
                    <span className={styles.kind}>{check.kind}</span> <span>{check.text}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

/** Affected kernels by aspect, and kernels it was reported on; why a condition has none. */
export function Kernels({ kernels, reported, reason }: { kernels: Kernel[]; reported: SignatureDocument['reported']; reason: string }) {
  if (reason) return <p>Not a matter of the kernel’s version: {reason}.</p>
  if (kernels.length === 0 && reported.length === 0) return <p className={styles.soft}>No affected versions recorded.</p>
  return (
    <ul>
      {kernels.map((row) => (
        <li key={row.aspect + row.where + row.range} className={styles.kernel}>
          {row.aspect && <p>{row.aspect}</p>}
          <p>
            <strong>{row.where}</strong> {row.range} {row.status && <Tag>{row.status}</Tag>}
          </p>
          <p className={styles.soft}>{row.basis}</p>
        </li>
      ))}
      {reported.map((row) => (
        <li key={row.on} className={styles.kernel}>
          <span className={styles.soft}>Reported on</span> {row.on}: {row.verdict} {row.status && <Tag>{row.status}</Tag>}
        </li>
      ))}
    </ul>
  )
}

/** Exports that detect it outside Casebook, as files. */
export function Detections({ area, name, detections }: { area: string; name: string; detections: Signature['detections'] }) {
  return (
    <ul>
      {detections.map((one) => (
        <li key={one.name}>
          <a href={detectionUrl(area, name, one.name)} download={one.filename}>
            {one.title}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Commits that fix the defect, with the first release of each branch that has them. */
export function FixRecords({ records }: { records: FixRecord[] }) {
  return (
    <ul aria-label="Commits">
      {records.map((record) => (
        <li key={record.name} className={styles.kernel}>
          <p>
            {record.subject} {record.links.map((link) => (link.url ? <a key={link.url} href={link.url} rel="noreferrer">{link.title}</a> : <span key={link.title}>{link.title}</span>)).flatMap((link, at) => (at ? [' ', link] : [link]))}
          </p>
          <p>
            <strong>Fixed in</strong> {record.fixed.join(', ')}
            {record.introduced && `, fault from ${record.introduced}`}
            {record.absent.length > 0 && `, not in ${record.absent.join(', ')} and earlier of its branch`}
          </p>
          {record.lines.map((line) => (
            <p key={line}>RHEL and rebuilds, {line}</p>
          ))}
          {record.note && <p className={styles.soft}>{record.note}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Fixes with risk, undo and verification. */
export function Fixes({ fixes }: { fixes: Fix[] }) {
  return fixes.map((fix) => (
    <div key={fix.title} className={styles.fix}>
      <p>
        {fix.title} <span className={styles.soft}>{fix.kind}</span>
      </p>
      {fix.run && <ShellCommand text={fix.run} name={fix.title} />}
      <dl>
        {[...fix.rows, ...(fix.undo ? [['Undo', fix.undo] as [string, string]] : [])].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  ))
}

/** Commands that decide conditions; each is safe on an affected host. */
export function Captures({ captures }: { captures: Capture[] }) {
  return captures.map((capture) => (
    <div key={capture.run} className={styles.fix}>
      <p>{capture.title}</p>
      <ShellCommand text={capture.run} name={capture.title} />
      <p className={styles.soft}>
        Decides: {capture.settles.join('; ')}. Cost: {capture.cost}.{capture.needs && ` Needs: ${capture.needs}.`}
      </p>
    </div>
  ))
}

export const FIXTURE_KINDS: Record<string, string> = { pos: 'positive', neg: 'look-alike', ver: 'fixed kernel', unk: 'incomplete evidence' }

/** Test evidence of the signature, with expected verdicts; every release is tested against it. */
export function Fixtures({ fixtures }: { fixtures: Signature['evidence'] }) {
  return (
    <ul>
      {fixtures.map((fixture) => (
        <li key={fixture.name} className={styles.fixture}>
          <p>
            <code>{fixture.name.slice(4)}</code> <span className={styles.soft}>{FIXTURE_KINDS[fixture.kind]}, expected verdict:</span> {verdictWords(fixture.verdict)}
          </p>
          <p className={styles.soft}>{fixture.provenance.replace(/^Kind: /, '')}</p>
        </li>
      ))}
    </ul>
  )
}
