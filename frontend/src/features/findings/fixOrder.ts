import type { Fix, Verdict } from '../../api'
import { stepOf } from './fixStep'

/** Fixes to apply, those that somebody must decide on first (the server says what they endanger), and warnings. */
export type OrderedFixes = { fixes: Fix[]; dangers: Fix[]; warnings: Fix[] }

const SCOPES = ['runtime', 'config', 'redeploy', 'reboot']
const IRREVERSIBLE = SCOPES.length + 1

function costOf({ scope, undo }: Fix): number {
  if (/irreversible/i.test(undo ?? '')) return IRREVERSIBLE
  return scope && SCOPES.includes(scope) ? SCOPES.indexOf(scope) : SCOPES.length
}

/** A suspect is looked at first, and so is a match whose cure has no command of its own. */
function rankOf(fix: Fix, looksFirst: boolean): number {
  const isCure = fix.effect === 'cure'
  if (looksFirst) return stepOf(fix) === 'look' ? 0 : isCure ? 1 : 2
  return isCure ? 0 : 1
}

/**
 * First what ends the trouble, then reversible first, by what a fix interrupts: nothing, a configuration, one service, the host. Where
 * nothing is confirmed, or the cure has no command, what only reads is first. Equal fixes keep the order of the signature.
 */
export function orderFixes(all: readonly Fix[], verdict: Verdict = 'match'): OrderedFixes {
  const looksFirst = verdict === 'suspect' || all.some(({ effect, run }) => effect === 'cure' && !run)
  const ordered = all
    .filter(({ kind }) => kind !== 'warning')
    .toSorted((a, b) => rankOf(a, looksFirst) - rankOf(b, looksFirst) || costOf(a) - costOf(b))
  return {
    fixes: ordered.filter(({ endangers }) => !endangers),
    dangers: ordered.filter(({ endangers }) => endangers),
    warnings: all.filter(({ kind }) => kind === 'warning'),
  }
}
