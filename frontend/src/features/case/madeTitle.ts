import type { Evidence } from '../../api'

const COUNTED = / (?:and \d+ more files?|\(\d+ files?\))$/

/** Whether a title was made of the names of files, so that the headline says more. */
export function isMadeTitle(title: string, evidence: readonly Pick<Evidence, 'filename' | 'captured_path'>[]): boolean {
  if (title === '' || COUNTED.test(title)) return true
  return evidence.some(({ filename, captured_path }) => [filename, captured_path].some((name) => name && (name === title || name.split('/').at(-1) === title)))
}
