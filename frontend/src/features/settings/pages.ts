/** Settings pages in navigation order; `isForAdmins` hides a page from other roles. */
export const PAGES = [
  { name: 'profile', title: 'Profile', isForAdmins: false },
  { name: 'sessions', title: 'Sessions', isForAdmins: false },
  { name: 'tokens', title: 'Tokens', isForAdmins: false },
  { name: 'webhooks', title: 'Webhooks', isForAdmins: false },
  { name: 'members', title: 'Members', isForAdmins: false },
  { name: 'teams', title: 'Teams', isForAdmins: false },
  { name: 'audit', title: 'Audit log', isForAdmins: true },
  { name: 'jobs', title: 'Jobs', isForAdmins: true },
  { name: 'changes', title: 'What changed', isForAdmins: true },
  { name: 'system', title: 'System', isForAdmins: true },
] as const

export type PageName = (typeof PAGES)[number]['name']

export function pageFrom(raw: unknown): PageName {
  return PAGES.find((page) => page.name === raw)?.name ?? 'profile'
}

/** Expiry date as shown in tables; `null` is never. */
export function expiry(at: string | null): string {
  return at === null ? 'never' : at.slice(0, 10)
}
