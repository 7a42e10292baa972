import type { Hunt, LibraryVersion, TeamLibrary } from '../../api'

/** `1f0c9e2ab7d4`, or what a version without a commit is called. */
export function commitOf({ commit }: Pick<LibraryVersion, 'commit'>): string {
  return commit.slice(0, 12) || 'new version'
}

/** `Gains 14 of 9,200 cases, loses 1`, of those that are done; of an applied hunt what it did. */
export function huntWords({ applies, gained, lost, failed, done }: Hunt): string {
  const of = done.toLocaleString('en')
  const counts = `${applies ? 'Gained' : 'Gains'} ${gained.toLocaleString('en')} of ${of} cases, ${applies ? 'lost' : 'loses'} ${lost.toLocaleString('en')}`
  return failed ? `${counts}; ${failed.toLocaleString('en')} could not be judged` : counts
}

/** `version 9, in place of version 2 of Casebook`. */
export function signatureWords({ version, shadows }: LibraryVersion['signatures'][number]): string {
  return shadows === null ? `version ${version}` : `version ${version}, in place of version ${shadows} of Casebook`
}

/** Where a library comes from. */
export function sourceWords({ source, url, ref }: Pick<TeamLibrary, 'source' | 'url' | 'ref'>): string {
  if (source === 'git') return `${url} at ${ref}`
  return source === 'upload' ? 'uploaded archive' : 'draft of a case'
}

/** A name for a library: of the file or repository, in the characters that names have. */
export function nameFrom(text: string): string {
  const last = text.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return last
    .toLowerCase()
    .replace(/\.(git|zip|tar|tgz|tar\.\w+)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
}

/** Whether a preview of a version is finished. */
export function hasPreview(hunts: readonly Hunt[], version: string): boolean {
  return hunts.some((hunt) => hunt.version_id === version && hunt.state === 'done')
}
