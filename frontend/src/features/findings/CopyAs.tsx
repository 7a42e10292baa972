import { fetchIssue, type Tracker } from '../../api'
import { copy, type MenuItem, MenuButton, useToast } from '../../ui'

const TRACKERS: readonly [Tracker, string][] = [
  ['github', 'GitHub issue'],
  ['gitlab', 'GitLab issue'],
  ['jira', 'Jira issue'],
]

/** Menu items that copy a case, or one of its findings, as the text of an issue with a link to this view. */
export function useIssueItems(caseId: string, finding?: string): MenuItem[] {
  const toast = useToast()
  const copyFor = async (tracker: Tracker, name: string) => {
    try {
      const { title, body } = await fetchIssue(caseId, tracker, window.location.pathname + window.location.search, finding)
      await copy(`${title}\n\n${body}`)
      toast(`Copied as ${name}.`)
    } catch (error) {
      toast(`Not copied: ${error instanceof Error ? error.message : 'the service did not answer'}`)
    }
  }
  return TRACKERS.map(([tracker, name], at) => ({ label: `Copy as ${name}`, startsGroup: at === 0 && finding === undefined, act: () => void copyFor(tracker, name) }))
}

/** A menu that copies a finding for an issue tracker. */
export function CopyAs({ caseId, finding }: { caseId: string; finding: string }) {
  return <MenuButton label="Copy as…" items={useIssueItems(caseId, finding)} />
}
