export { DecidingLines } from './DecidingLines'
export { EvidenceList } from './EvidenceList'
export { type LineNote, RawEvidence } from './RawEvidence'
export { isBusy, nameOf, summary } from './labels'
