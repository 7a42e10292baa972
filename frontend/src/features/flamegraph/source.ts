import type { Source } from './types'

/**
 * Where the source of a kernel release is read, or null of what is no release.
 *
 * The link is to the upstream version that the release is made from and says so: what a distribution changed in
 * it is not there. `6.12.117+deb13-cloud-amd64` is v6.12.117, `5.15.0-1040-gke` is v5.15.
 */
export function sourceOf(release: string): Source | null {
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?(?=[-+._]|$)/.exec(release)
  if (!found) return null
  const [, major, minor, patch] = found
  const tag = `v${major}.${minor}${patch && patch !== '0' ? `.${patch}` : ''}`
  return { tag, linkTo: (name) => `https://elixir.bootlin.com/linux/${tag}/A/ident/${encodeURIComponent(name)}` }
}

/** The one release that all evidence of a case names; with several, or none, nothing is guessed. */
export function onlySource(releases: readonly unknown[]): Source | null {
  const different = new Set(releases)
  const [release] = different
  return different.size === 1 && typeof release === 'string' ? sourceOf(release) : null
}
