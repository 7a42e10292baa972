import type { LibraryResult } from '../../api'

export const REASON_LABELS: Record<LibraryResult['reasons'][number]['kind'], string> = {
  judged: 'verdict on your paste',
  functions: 'functions',
  words: 'words',
}

export const VERDICT_LABELS: Record<string, string> = { match: 'match', suspect: 'suspected', unknown: 'undecided', no_match: 'not matched' }

export const KERNEL_STATUS_LABELS: Record<string, string> = {
  affected: 'kernel affected',
  probably_affected: 'very probably affected',
  affected_unless_backported: 'affected unless backported',
  probably_not_affected: 'probably not affected',
  fixed: 'fixed in kernel',
  not_affected: 'kernel not affected',
  unknown: 'kernel status unknown',
  version_independent: 'not a matter of the kernel’s version',
}

/** A share (0..1) in whole percent; small shares are `< 1 %`, never `0 %`. */
export const percent = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`)
