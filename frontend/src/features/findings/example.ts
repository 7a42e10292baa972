import type { Clause, Finding } from '../../api'

/** A clause for tests, with the given fields. */
export function clauseOf(fields: Partial<Clause>): Clause {
  return {
    id: 'evicting',
    title: 'Kernel time goes into eviction',
    role: 'core',
    weight: 4,
    veto: false,
    state: 'TRUE',
    reason: '',
    observed: 0.61,
    threshold: 0.3,
    unit: 'share',
    distance: 0,
    strength: 1,
    is_seen: false,
    assumed: false,
    note: '',
    caps: [],
    remarks: [],
    citations: [],
    ...fields,
  }
}

/** A finding for tests, with the given fields. */
export function findingOf(fields: Partial<Finding>): Finding {
  return {
    id: 'f1',
    kind: 'signature',
    signature: 'mm/mglru-evict-folios-lru-lock',
    version: 1,
    title: 'MGLRU reclaim spins on lru_lock',
    severity: 'high',
    level: 'failure',
    status: 'stable',
    fingerprint: 'a1',
    host: 'db7',
    phase: 'during',
    verdict: 'match',
    headline: 'MGLRU reclaim spins on lru_lock',
    certainty: 'Very likely: every distinguishing condition is met, and no alternative is open.',
    because: '',
    score: 9,
    confidence: 0.9,
    confidence_word: 'high',
    coverage: 0.8,
    coverage_word: 'high',
    caps: [],
    rivals_open: [],
    affected: { verdict: 'affected', basis: 'kernel.org 6.1', sentence: 'Known issue on this kernel.', reported: [], aspects: [] },
    entity: {},
    extract: {},
    clauses: [clauseOf({})],
    fixes: [],
    next: [],
    references: [],
    superseded_by: '',
    caused_by: '',
    suspected_cause: '',
    is_near_miss: false,
    is_listed: true,
    is_provisional: false,
    ...fields,
  }
}
