import type { LibraryResult } from '../../api'

export const WORDS_OF_REASON: Record<LibraryResult['reasons'][number]['kind'], string> = {
  judged: 'what was pasted, judged',
  functions: 'functions',
  words: 'words',
}

export const WORDS_OF_VERDICT: Record<string, string> = {
  match: 'match',
  suspect: 'suspect',
  unknown: 'not decided',
  affected: 'your kernel has it',
  fixed: 'fixed in your kernel',
  not_affected: 'your kernel does not have it',
}

/** 0..1 as whole percent; what is there at all is never told as nothing. */
export const percent = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`)
