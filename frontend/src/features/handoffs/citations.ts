import type { HandoffFile } from '../../api'

/** Where the summary goes on after its first screen. */
const REST = /^## Why$/m
/** The title line of the summary; the page header shows it already. */
const TITLE = /^# .*\n+/
const CITED = /^(?<name>.+):(?<line>\d+)(?:-\d+)?$/

/** The first screen of a summary (question, headline, facts, what to do and what was tried), and the rest. */
export function parted(summary: string): { first: string; rest: string } {
  const text = summary.replace(TITLE, '')
  const at = text.search(REST)
  return at < 0 ? { first: text, rest: '' } : { first: text.slice(0, at), rest: text.slice(at) }
}

/** The file and line that a text such as `proc/meminfo:12-14` names; undefined when no such file is handed over. */
export function citationIn(text: string, files: readonly HandoffFile[]): { file: HandoffFile; line: number } | undefined {
  const found = CITED.exec(text)?.groups
  const named = files.filter(({ name }) => name === found?.name)
  return found && named[0] && named.length === 1 ? { file: named[0], line: Number(found.line) } : undefined
}
