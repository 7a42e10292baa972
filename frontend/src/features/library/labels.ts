import type { LibraryResult } from '../../api'

export const REASON_LABELS: Record<LibraryResult['reasons'][number]['kind'], string> = {
  judged: 'verdict on your paste',
  functions: 'functions',
  words: 'words',
}

/** A share (0..1) in whole percent; small shares are `< 1 %`, never `0 %`. */
export const percent = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`)
