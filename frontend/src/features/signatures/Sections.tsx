import type { ReactNode } from 'react'
import type { Signature } from '../../api'
import { Command, Tag } from '../../ui'
import type { Capture, Clause, Fix, Kernel, SignatureDocument } from './document'
import styles from './signatures.module.css'

type SectionProps = { title: string; about?: string; children: ReactNode }

/** A part of the page with its heading. */
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
  { role: 'core', title: 'What makes it this' },
  { role: 'corroborates', title: 'What supports it' },
  { role: 'context', title: 'What belongs to it' },
  { role: 'rival', title: 'What else it could be' },
]

/** How it looks in every kind of evidence, condition by condition. */
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
                {clause.isVeto ? <span className={styles.soft}>excludes it</span> : clause.weight > 0 && <span className={styles.soft}>weight {clause.weight}</span>}
              </p>
              <ul className={styles.asks}>
                {clause.asks.map((ask) => (
                  <li key={ask.kind + ask.text}>
                    <span className={styles.kind}>{ask.kind}</span> <span>{ask.text}</span>
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

/** Which kernels have it, aspect by aspect, and where it was seen. */
export function Kernels({ kernels, reported }: { kernels: Kernel[]; reported: SignatureDocument['reported'] }) {
  if (kernels.length === 0 && reported.length === 0) return <p className={styles.soft}>No version is on record.</p>
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
          <span className={styles.soft}>seen on</span> {row.on}: {row.verdict} {row.status && <Tag>{row.status}</Tag>}
        </li>
      ))}
    </ul>
  )
}

/** What helps, with its risk, its way back and the check that shows it worked. */
export function Fixes({ fixes }: { fixes: Fix[] }) {
  return fixes.map((fix) => (
    <div key={fix.title} className={styles.fix}>
      <p>
        {fix.title} <span className={styles.soft}>{fix.kind}</span>
      </p>
      {fix.run && <Command text={fix.run} name={fix.title} />}
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

/** Commands that settle conditions, each safe on a sick host. */
export function Captures({ captures }: { captures: Capture[] }) {
  return captures.map((capture) => (
    <div key={capture.run} className={styles.fix}>
      <p>{capture.title}</p>
      <Command text={capture.run} name={capture.title} />
      <p className={styles.soft}>
        Settles: {capture.settles.join('; ')}. Cost: {capture.cost}.{capture.needs && ` Needs: ${capture.needs}.`}
      </p>
    </div>
  ))
}

const KINDS: Record<string, string> = { pos: 'shows it', neg: 'looks alike and is not it', ver: 'on a kernel with the fix', unk: 'must stay open' }

/** The evidence it brings along; every release judges all of it. */
export function Proofs({ proofs }: { proofs: Signature['evidence'] }) {
  return (
    <ul>
      {proofs.map((proof) => (
        <li key={proof.name} className={styles.proof}>
          <p>
            <code>{proof.name}</code> <span className={styles.soft}>{KINDS[proof.kind]}, must be</span> {proof.verdict.replaceAll('_', ' ')}
          </p>
          <p className={styles.soft}>{proof.provenance.replace(/^Kind: /, '')}</p>
        </li>
      ))}
    </ul>
  )
}
