import type { Evidence } from '../../api'
import { format } from '../../profile'
import styles from './evidence.module.css'

/** The sections of a file: recognised format, results, skipped lines and caveats. */
export function ParseReport({ evidence }: { evidence: Evidence }) {
  return (
    <div className={styles.report} tabIndex={0} role="region" aria-label="Parse report">
      <table>
        <thead>
          <tr>
            <th scope="col">Lines</th>
            <th scope="col">Recognised as</th>
            <th scope="col">Result</th>
            <th scope="col">Skipped</th>
            <th scope="col">Caveats</th>
          </tr>
        </thead>
        <tbody>
          {evidence.sections.map((section) => (
            <tr key={section.ordinal}>
              <td>
                {format.count(section.first_line)}–{format.count(section.last_line)}
              </td>
              <td>
                {section.title} <span className={styles.soft}>{section.path || section.command}</span>
              </td>
              <td>{counts(section)}</td>
              <td>{section.skipped.map((entry) => `${format.count(entry.count)} × ${entry.reason} (first: line ${format.count(entry.first_line)})`).join('; ') || 'none'}</td>
              <td>{section.quality.map((remark) => remark.detail || remark.name).join('; ') || 'none'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {evidence.skipped_members.length > 0 && (
        <p className={styles.soft}>
          Skipped archive members: {evidence.skipped_members.map((entry) => `${format.count(entry.count)} × ${entry.reason}`).join('; ')}
        </p>
      )}
    </div>
  )
}

function counts(section: Evidence['sections'][number]): string {
  const parts: [number, string][] = [
    [section.profiles.length, 'profile'],
    [section.fact_count, 'fact'],
    [section.histogram_count, 'histogram'],
    [section.log_record_count, 'log record'],
  ]
  const labels = parts.filter(([count]) => count > 0).map(([count, name]) => `${format.count(count)} ${name}${count === 1 ? '' : 's'}`)
  return labels.join(', ') || 'stored as text'
}
