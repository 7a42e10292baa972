/** Settings pages in navigation order; `least` is the role from which a page is shown. */
export const PAGES = [
  { name: 'profile', title: 'Profile', least: 'viewer' },
  { name: 'sessions', title: 'Sessions', least: 'viewer' },
  { name: 'tokens', title: 'Tokens', least: 'viewer' },
  { name: 'webhooks', title: 'Webhooks', least: 'viewer' },
  { name: 'libraries', title: 'Libraries', least: 'curator' },
  { name: 'members', title: 'Members', least: 'viewer' },
  { name: 'teams', title: 'Teams', least: 'viewer' },
  { name: 'audit', title: 'Audit log', least: 'admin' },
  { name: 'jobs', title: 'Jobs', least: 'admin' },
  { name: 'changes', title: 'What changed', least: 'admin' },
  { name: 'system', title: 'System', least: 'admin' },
] as const

const ROLES = ['viewer', 'responder', 'curator', 'admin']

/** The pages that are shown to a role. */
export function pagesOf(role: string | undefined) {
  return PAGES.filter(({ least }) => ROLES.indexOf(role ?? 'viewer') >= ROLES.indexOf(least))
}

export type PageName = (typeof PAGES)[number]['name']

export function pageFrom(raw: unknown): PageName {
  return PAGES.find((page) => page.name === raw)?.name ?? 'profile'
}

/** Expiry date as shown in tables; `null` is never. */
export function expiry(at: string | null): string {
  return at === null ? 'never' : at.slice(0, 10)
}
