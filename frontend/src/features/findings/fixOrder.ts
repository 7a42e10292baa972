import type { Fix, Verdict } from '../../api'
import { stepOf } from './fixStep'

/** Fixes to apply, and warnings about actions that make the incident worse. */
export type OrderedFixes = { fixes: Fix[]; warnings: Fix[] }

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
  return {
    fixes: all
      .filter(({ kind }) => kind !== 'warning')
      .toSorted((a, b) => rankOf(a, looksFirst) - rankOf(b, looksFirst) || costOf(a) - costOf(b)),
    warnings: all.filter(({ kind }) => kind === 'warning'),
  }
}
