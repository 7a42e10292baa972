import { useId, useState } from 'react'
import { type Exhibits as Shown, type Signature, useExhibits } from '../../api'
import { Notice, Segments } from '../../ui'
import { FlameEmbed } from '../flamegraph'
import { HistogramChart } from '../numbers'
import { Section } from './Sections'
import styles from './signatures.module.css'

type Props = { area: string; name: string; proofs: Signature['evidence']; shown: string | undefined; onShown: (proof: string) => void }

const WHAT: Record<string, string> = { pos: 'shows it', neg: 'looks alike and is not it', ver: 'on a kernel with the fix', unk: 'must stay open' }

/** The evidence of a signature, drawn: what it looks like, and what it must not be taken for. */
export function Exhibits({ area, name, proofs, shown, onShown }: Props) {
  const chooser = useId()
  const ordered = [...proofs].toSorted((a, b) => 'pos neg ver unk'.indexOf(a.kind) - 'pos neg ver unk'.indexOf(b.kind))
  const chosen = ordered.find((proof) => proof.name === shown) ?? ordered[0]
  const { data, error, isPending, refetch } = useExhibits(area, name, chosen?.name)
  if (!chosen) return null
  return (
    <Section title="What it looks like" about="Evidence that comes with the signature, drawn as it was recorded.">
      <div className={styles.chooser}>
        <label htmlFor={chooser}>Evidence</label>
        <select id={chooser} value={chosen.name} onChange={(event) => onShown(event.target.value)}>
          {ordered.map((proof) => (
            <option key={proof.name} value={proof.name}>
              {proof.name.slice(4).replaceAll('-', ' ')}: {WHAT[proof.kind]}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <Notice what="This evidence could not be drawn." retry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      {isPending && !error && <div className={styles.waiting} role="status" aria-label="Reading the evidence" />}
      {data && <Drawn key={data.name} shown={data} />}
    </Section>
  )
}

function Drawn({ shown }: { shown: Shown }) {
  const [at, setAt] = useState('0')
  const [charts, setCharts] = useState<readonly string[]>([])
  const profile = shown.profiles[Number(at)]
  const families = familiesOf(shown.histograms)
  if (!profile && families.length === 0) return <p className={styles.soft}>It has neither stacks nor histograms: its conditions rest on lines and values alone.</p>
  return (
    <div className={styles.drawn} data-testid="exhibits" data-name={shown.name}>
      {shown.profiles.length > 1 && (
        <Segments label="Profile" value={at} options={shown.profiles.map((one, place) => ({ value: String(place), label: `${one.evidence_name.split('/').at(-1)}${one.event ? ` · ${one.event}` : ''}` }))} onChange={setAt} />
      )}
      {profile && (
        <FlameEmbed
          columns={profile}
          rootLabel={`all · ${profile.event || 'stacks'} · ${profile.has_weights ? `${profile.total_samples.toLocaleString('en')} samples` : 'stacks without weights'}`}
        />
      )}
      {families.map((family) => (
        <HistogramChart key={`${family[0]?.evidence_name} ${family[0]?.name}`} family={family} charts={charts} onCharts={setCharts} />
      ))}
      {shown.left_out > 0 && <p className={styles.soft}>{shown.left_out} more of the same kind are in the folder.</p>}
    </div>
  )
}

/** Histograms of one map of one file belong into one chart. */
function familiesOf(histograms: Shown['histograms']): Shown['histograms'][] {
  const found = new Map<string, Shown['histograms']>()
  for (const one of histograms) found.set(`${one.evidence_name} ${one.name}`, [...(found.get(`${one.evidence_name} ${one.name}`) ?? []), one])
  return [...found.values()]
}
