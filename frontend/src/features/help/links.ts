/** Where a link of a page of the documentation leads: another page of the help, a file beside it, another site, or nowhere that is served. */
export type Target = { page: string; hash: string } | { file: string } | { url: string } | null

/** The target of `href` on `page`; files of the repository that are not served have none. */
export function targetOf(href: string, page: string, pages: ReadonlySet<string>): Target {
  if (/^[a-z]+:/.test(href)) return /^https?:/.test(href) ? { url: href } : null
  const [path = '', hash = ''] = href.split('#')
  if (path === '') return { page, hash }
  const name = /^([\w-]+)\.md$/.exec(path)?.[1]
  if (name !== undefined) return pages.has(name) ? { page: name, hash } : null
  return /^(?:images|ci|systemd)\/[\w.-]+$/.test(path) ? { file: path } : null
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
