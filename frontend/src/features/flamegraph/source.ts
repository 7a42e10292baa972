import type { Source } from './types'

/**
 * The source browser for a kernel release; null when the text is not a release.
 *
 * Links to the upstream version that the release is based on, without distribution patches. `6.12.117+deb13-cloud-amd64` is v6.12.117, `5.15.0-1040-gke` is v5.15.
 */
export function sourceOf(release: string): Source | null {
  const match = /^(\d+)\.(\d+)(?:\.(\d+))?(?=[-+._]|$)/.exec(release)
  if (!match) return null
  const [, major, minor, patch] = match
  const tag = `v${major}.${minor}${patch && patch !== '0' ? `.${patch}` : ''}`
  return { tag, linkTo: (name) => `https://elixir.bootlin.com/linux/${tag}/A/ident/${encodeURIComponent(name)}` }
}

/** The source of the only release in the evidence of a case; null with several releases or none. */
export function onlySource(releases: readonly unknown[]): Source | null {
  const different = new Set(releases)
  const [release] = different
  return different.size === 1 && typeof release === 'string' ? sourceOf(release) : null
}
