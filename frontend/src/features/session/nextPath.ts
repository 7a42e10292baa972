/**
 * `raw`, the `next` of a sign-in link, if it leads to a page of `origin`; undefined otherwise.
 *
 * It is resolved as the browser will resolve it: of `/\t/evil.example` the tab is removed, and the rest names another host.
 */
export function nextPath(raw: unknown, origin: string): string | undefined {
  if (typeof raw !== 'string' || !raw.startsWith('/')) return undefined
  try {
    return new URL(raw, origin).origin === origin ? raw : undefined
  } catch {
    return undefined
  }
}
