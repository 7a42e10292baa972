import type { Fix } from '../../api'

/** Fixes to apply, and warnings about actions that make the incident worse. */
export type OrderedFixes = { fixes: Fix[]; warnings: Fix[] }

const SCOPES = ['runtime', 'config', 'redeploy', 'reboot']
const IRREVERSIBLE = SCOPES.length + 1

function costOf({ scope, undo }: Fix): number {
  if (/irreversible/i.test(undo ?? '')) return IRREVERSIBLE
  return scope && SCOPES.includes(scope) ? SCOPES.indexOf(scope) : SCOPES.length
}

const endsIt = ({ effect }: Fix) => effect === 'cure'

/** First what ends the trouble, then reversible first, by what a fix interrupts: nothing, a configuration, one service, the host. Equal fixes keep the order of the signature. */
export function orderFixes(all: readonly Fix[]): OrderedFixes {
  return {
    fixes: all.filter(({ kind }) => kind !== 'warning').toSorted((a, b) => Number(endsIt(b)) - Number(endsIt(a)) || costOf(a) - costOf(b)),
    warnings: all.filter(({ kind }) => kind === 'warning'),
  }
}
