import { useId, useState } from 'react'
import { type Exhibits, type Signature, useExhibits } from '../../api'
import { Notice, Segments } from '../../ui'
import { FlameEmbed } from '../flamegraph'
import { HistogramChart } from '../numbers'
import { FIXTURE_KINDS, Section } from './Sections'
import styles from './signatures.module.css'

type Props = { area: string; name: string; fixtures: Signature['evidence']; selected: string | undefined; onSelect: (fixture: string) => void }

/** What shows the signature best comes first: proof, then suspicion, then look-alikes. */
const rankOf = ({ kind, verdict }: Signature['evidence'][number]) => 'pos neg ver unk'.indexOf(kind) + (verdict === 'match' ? 0 : 1)

/** Flame graphs and histograms of the fixtures of a signature. */
export function ExampleEvidence({ area, name, fixtures, selected, onSelect }: Props) {
  const selectId = useId()
  const ordered = [...fixtures].toSorted((a, b) => rankOf(a) - rankOf(b))
  const current = ordered.find((fixture) => fixture.name === selected) ?? ordered[0]
  const { data, error, isPending, refetch } = useExhibits(area, name, current?.name)
  if (!current) return null
  return (
    <Section title="Example evidence" about="Recorded evidence from the tests of this signature.">
      <div className={styles.chooser}>
        <label htmlFor={selectId}>Evidence</label>
        <select id={selectId} value={current.name} onChange={(event) => onSelect(event.target.value)}>
          {ordered.map((fixture) => (
            <option key={fixture.name} value={fixture.name}>
              {fixture.name.slice(4).replaceAll('-', ' ')}: {FIXTURE_KINDS[fixture.kind]}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <Notice what="The evidence could not be loaded." retry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      {isPending && !error && <div className={styles.waiting} role="status" aria-label="Loading evidence" />}
      {data && <Charts key={data.name} exhibits={data} />}
    </Section>
  )
}

function Charts({ exhibits }: { exhibits: Exhibits }) {
  const [profileIndex, setProfileIndex] = useState('0')
  const [charts, setCharts] = useState<readonly string[]>([])
  const profile = exhibits.profiles[Number(profileIndex)]
  const families = familiesOf(exhibits.histograms)
  if (!profile && families.length === 0) return <p className={styles.soft}>No stacks or histograms: the conditions use log lines and values.</p>
  return (
    <div className={styles.drawn} data-testid="exhibits" data-name={exhibits.name}>
      {exhibits.profiles.length > 1 && (
        <Segments label="Profile" value={profileIndex} options={exhibits.profiles.map((one, index) => ({ value: String(index), label: `${one.evidence_name.split('/').at(-1)}${one.event ? ` · ${one.event}` : ''}` }))} onChange={setProfileIndex} />
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
      {exhibits.left_out > 0 && <p className={styles.soft}>{exhibits.left_out} more of the same kind in the evidence folder.</p>}
    </div>
  )
}

/** Group histograms by map and file, one chart each. */
function familiesOf(histograms: Exhibits['histograms']): Exhibits['histograms'][] {
  const found = new Map<string, Exhibits['histograms']>()
  for (const one of histograms) found.set(`${one.evidence_name} ${one.name}`, [...(found.get(`${one.evidence_name} ${one.name}`) ?? []), one])
  return [...found.values()]
}
