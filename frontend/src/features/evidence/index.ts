export { DecidingLines } from './DecidingLines'
export { EvidenceList } from './EvidenceList'
export { RawEvidence } from './RawEvidence'
export { isBusy, nameOf, summary } from './labels'
