import { type CaseOverview, type Finding, usePhases } from '../../api'
import { figuresOf, outcomeOf } from '../captures'
import { Chain } from '../overview'

type Props = { caseId: string; chain: CaseOverview['chain']; leading: Finding | undefined; onShow: (evidenceId: string, line: number) => void }

/** The chain of causes of a case with evidence of after a change: whether its cause is gone, with the figure. */
export function OutcomeChain({ caseId, chain, leading, onShow }: Props) {
  const outcome = outcomeOf(usePhases(caseId).data, leading ?? { signature: '', host: '' })
  const [figure] = outcome ? figuresOf(outcome.row) : []
  return <Chain chain={chain} outcome={outcome && { state: outcome.outcome, words: figure ? `${figure.before} → ${figure.after}` : outcome.label }} onShow={onShow} />
}
