import type { Citation, Finding } from '../../api'
import { headlineOf, hostAndPhase, inOrder, markOf, quantity, stateWithReason, verdictNumbers } from './labels'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const citationText = ({ evidence, first_line, last_line }: Citation) => `\`${evidence}:${first_line}${last_line > first_line ? `-${last_line}` : ''}\``

/** A finding as Markdown for a ticket or a chat, with the URL of the view. */
export function findingMarkdown(finding: Finding, url: string): string {
  const rows = inOrder(finding.clauses).map((clause) => {
    const cells = [
      cell(clause.title || clause.id),
      `${markOf(clause).sign} ${cell(stateWithReason(clause))}`,
      cell(quantity(clause.observed, clause.unit)),
      cell(quantity(clause.threshold, clause.unit)),
      clause.citations.slice(0, 3).map(citationText).join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const where = hostAndPhase(finding)
  const fixes = finding.fixes.flatMap((fix) => [
    `- **${fix.title}**${fix.risk ? ` Risk: ${fix.risk}.` : ''}${fix.undo ? ` Undo: \`${fix.undo}\`.` : ''}`,
    ...(fix.run ? ['  ```sh', ...fix.run.trimEnd().split('\n').map((line) => `  ${line}`), '  ```'] : []),
  ])
  return [
    `## ${headlineOf(finding)}`,
    '',
    `\`${finding.signature}\` version ${finding.version}${where && ` on ${where}`}. ${finding.certainty} ${finding.affected.sentence}`,
    '',
    '| condition | state | observed | threshold | evidence |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `${verdictNumbers(finding)}.`,
    ...(fixes.length > 0 ? ['', '### Fixes', '', ...fixes] : []),
    '',
    url,
    '',
  ].join('\n')
}
