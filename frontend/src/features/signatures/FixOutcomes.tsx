import { useFixOutcomes } from '../../api'
import { Section } from './Sections'
import styles from './signatures.module.css'

type Props = { area: string; name: string }

/** Fixes of closed cases, with how often the finding was gone in recordings that compare. */
export function FixOutcomes({ area, name }: Props) {
  const items = useFixOutcomes(area, name).data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title="Closed cases" about="A success: the finding is gone on the same class of machine under comparable work.">
      <ul>
        {items.map((item) => (
          <li key={item.fix}>
            {item.fix}{' '}
            <span className={styles.soft}>
              {item.successes} of {item.cases} verified
              {item.failures > 0 && `, ${item.failures} not cured`}
              {item.not_compared > 0 && `, ${item.not_compared} without a comparable recording`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
