import type { Citation, Finding } from '../../api'
import { inOrder, markOf, quantity, VERDICT_WORDS, where } from './words'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const place = ({ evidence, first_line, last_line }: Citation) => `\`${evidence}:${first_line}${last_line > first_line ? `-${last_line}` : ''}\``

/** A finding to paste into a ticket or a chat, with the address of the view. */
export function findingMarkdown(finding: Finding, url: string): string {
  const confidence = finding.confidence_word ? `confidence ${finding.confidence_word}, ` : ''
  const rows = inOrder(finding.clauses).map((clause) => {
    const { sign, words } = markOf(clause)
    const cells = [
      cell(clause.title || clause.id),
      `${sign} ${words}${clause.state === 'UNKNOWN' && clause.reason ? ` (${cell(clause.reason)})` : ''}`,
      cell(quantity(clause.observed, clause.unit)),
      cell(quantity(clause.threshold, clause.unit)),
      clause.citations.slice(0, 3).map(place).join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const fixes = finding.fixes.flatMap((fix) => [
    `- **${fix.title}**${fix.risk ? ` Risk: ${fix.risk}.` : ''}${fix.undo ? ` Undo: \`${fix.undo}\`.` : ''}`,
    ...(fix.run ? ['  ```sh', ...fix.run.trimEnd().split('\n').map((line) => `  ${line}`), '  ```'] : []),
  ])
  return [
    `## ${VERDICT_WORDS[finding.verdict]}: ${finding.title}`,
    '',
    `\`${finding.signature}\` version ${finding.version} on ${where(finding)}: ${confidence}coverage ${finding.coverage_word}. ${finding.affected.sentence}`,
    '',
    '| condition | state | observed | threshold | where |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(fixes.length > 0 ? ['', '### What to do', '', ...fixes] : []),
    '',
    url,
    '',
  ].join('\n')
}
