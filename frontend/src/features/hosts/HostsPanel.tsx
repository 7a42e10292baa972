import { useState } from 'react'
import { type Host, type Hosts, useHosts, useOutlier, useOverview } from '../../api'
import { Button, Notice, PageLoading, Tag } from '../../ui'
import { VERDICT_LABELS } from '../../words'
import { VERDICT_TONES } from '../findings'
import { Cited, type HostLead } from '../overview'
import { ContrastTable } from './ContrastTable'
import type { HostChoice } from './hostChoice'
import styles from './hosts.module.css'
import { cellOf, hostsOf, onlyHostOf, suspectHost } from './matrix'

type Props = {
  caseId: string
  choice: HostChoice
  onChoice: (choice: HostChoice) => void
  /** Findings that have a card on the page. */
  shown: ReadonlySet<string>
  onFinding: (findingId: string) => void
  onShow: (evidenceId: string, line: number) => void
}

/** More hosts are folded, so that their comparison stays on the screen. */
const MAX_HOSTS = 12
/** Names of one row before it is unfolded. */
const MAX_NAMES = 6
const nameOf = (name: string) => name || 'unnamed'

/** Hosts and boots, findings by host, and a comparison of facts between hosts. */
export function HostsPanel({ caseId, choice, shown, onChoice, onFinding, onShow }: Props) {
  const hosts = useHosts(caseId)
  const leads = useOverview(caseId).data?.by_host ?? []
  const named = hosts.data?.hosts.filter(({ name }) => name !== '') ?? []
  const hasOutlier = named.length >= 3
  const outlier = useOutlier(caseId, hasOutlier)
  if (hosts.error) {
    return (
      <Notice what="The hosts could not be loaded." retry={() => void hosts.refetch()}>
        {hosts.error.message} Findings are not affected.
      </Notice>
    )
  }
  if (!hosts.data) return <PageLoading />
  const comparable = hosts.data.hosts.filter(({ fact_count }) => fact_count > 0).map(({ name }) => name)
  const bad = comparable.find((name) => name === choice.bad) ?? suspectHost(hosts.data, outlier.data?.host)
  const others = comparable.filter((name) => name !== bad)
  const selected = others.filter((name) => choice.good?.includes(name))
  // The outlier is what is compared, unless a host is chosen.
  const isLookingForOutlier = hasOutlier && outlier.isPending && choice.bad === undefined
  return (
    <div className={styles.panel} data-testid="hosts">
      {outlier.data?.host && (
        <p className={styles.outlier} data-testid="outlier">
          Outlier: <strong>{outlier.data.host}</strong>, by {outlier.data.names.slice(0, 3).join(', ')}
        </p>
      )}
      {leads.length > 0 && (
        <section aria-label="Headline of each host">
          <h2>Headline of each host</h2>
          <Leads leads={leads} onShow={onShow} />
        </section>
      )}
      <section aria-label="Hosts and boots">
        <h2>Hosts and boots</h2>
        <Machines hosts={hosts.data.hosts} />
      </section>
      {hosts.data.rows.length > 0 && (
        <section aria-label="Findings by host">
          <h2>Findings by host</h2>
          <Matrix hosts={hosts.data} shown={shown} onFinding={onFinding} />
        </section>
      )}
      <section aria-label="Host comparison">
        <h2>Host comparison</h2>
        {bad === undefined || others.length === 0 ? (
          <p className={styles.soft}>
            Compares the facts of an affected host with those of healthy ones. Add the same files from a healthy host: a sosreport of each, or a paste that begins with <code>uname -a</code>.
          </p>
        ) : isLookingForOutlier ? (
          <p role="status">Looking for an outlier…</p>
        ) : (
          <ContrastTable caseId={caseId} bad={bad} good={selected.length > 0 ? selected : others} hosts={comparable} onChoice={onChoice} onShow={onShow} />
        )}
      </section>
    </div>
  )
}

/** Hosts with the same headline are one row: the worst first, then what most hosts have. */
function Leads({ leads, onShow }: { leads: readonly HostLead[]; onShow: Props['onShow'] }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Headlines and hosts">
      <table className={styles.table} data-testid="host-leads">
        <thead>
          <tr>
            <th scope="col">Headline</th>
            <th scope="col" className={styles.number}>
              Hosts
            </th>
            <th scope="col">Names</th>
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          {leads.map((lead) => (
            <tr key={`${lead.kind}:${lead.text}`} data-level={lead.level}>
              <th scope="row">{lead.text || <span className={styles.soft}>nothing stated</span>}</th>
              <td className={styles.number}>{lead.hosts.length}</td>
              <td className={styles.names}>
                <Names names={lead.hosts} />
              </td>
              <td>{lead.citation && <Cited place={lead.citation} onShow={onShow} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? names : names.slice(0, MAX_NAMES)
  return (
    <>
      {shown.join(', ')}{' '}
      {shown.length < names.length && (
        <button type="button" className={styles.more} onClick={() => setIsWhole(true)}>
          and {names.length - shown.length} more
        </button>
      )}
    </>
  )
}

function Machines({ hosts }: { hosts: readonly Host[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? hosts : hosts.slice(0, MAX_HOSTS)
  return (
    <>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Hosts and boots table">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Boot</th>
              <th scope="col">Machine</th>
              <th scope="col">Kernel</th>
              <th scope="col" className={styles.number}>
                Files
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.flatMap((host) =>
              host.boots.map((boot, at) => (
                <tr key={`${host.name}:${boot.machine_id}:${boot.boot_id}`}>
                  <th scope="row">{at === 0 ? nameOf(host.name) : <span className="sr-only">{nameOf(host.name)}</span>}</th>
                  <td className={styles.id} title={boot.boot_id}>
                    {boot.boot_id.slice(0, 8) || <span className={styles.soft}>unknown</span>}
                  </td>
                  <td className={styles.id} title={boot.machine_id}>
                    {boot.machine_id.slice(0, 8) || <span className={styles.soft}>unknown</span>}
                  </td>
                  <td>{at === 0 && (host.kernels.join(', ') || <span className={styles.soft}>unknown</span>)}</td>
                  <td className={styles.number}>{boot.evidence_count}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
      {shown.length < hosts.length && <Button onClick={() => setIsWhole(true)}>Show all {hosts.length} hosts</Button>}
    </>
  )
}

function Matrix({ hosts, shown, onFinding }: { hosts: Hosts; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }) {
  const [isWhole, setIsWhole] = useState(false)
  const every = hostsOf(hosts.rows)
  const names = isWhole ? every : every.slice(0, MAX_HOSTS)
  return (
    <>
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Signatures and hosts">
      <table className={styles.table} data-testid="host-matrix">
        <thead>
          <tr>
            <th scope="col">Signature</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {nameOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hosts.rows.map((row) => {
            const onlyHost = onlyHostOf(row, every)
            return (
              <tr key={row.signature}>
                <th scope="row">
                  {row.title}
                  {onlyHost && <span className={styles.alone}>only on {onlyHost}</span>}
                </th>
                {names.map((name) => {
                  const cell = cellOf(row, name)
                  return (
                    <td key={name}>
                      {!cell && <span className={styles.soft}>–</span>}
                      {cell && shown.has(cell.finding_id) && (
                        <button type="button" className={styles.cell} onClick={() => onFinding(cell.finding_id)}>
                          <Tag tone={VERDICT_TONES[cell.verdict]}>{VERDICT_LABELS[cell.verdict]}</Tag>
                        </button>
                      )}
                      {cell && !shown.has(cell.finding_id) && <span className={styles.soft}>{VERDICT_LABELS[cell.verdict]}</span>}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
    {names.length < every.length && <Button onClick={() => setIsWhole(true)}>Show all {every.length} hosts</Button>}
    </>
  )
}
