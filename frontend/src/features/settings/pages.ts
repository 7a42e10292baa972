/** The pages of the settings, in order; those for admins are offered to them alone. */
export const PAGES = [
  { name: 'profile', title: 'Profile', isForAdmins: false },
  { name: 'sessions', title: 'Sessions', isForAdmins: false },
  { name: 'tokens', title: 'Tokens', isForAdmins: false },
  { name: 'members', title: 'Members', isForAdmins: false },
  { name: 'teams', title: 'Teams', isForAdmins: false },
  { name: 'audit', title: 'Audit log', isForAdmins: true },
] as const

export type PageName = (typeof PAGES)[number]['name']

export function pageNamed(raw: unknown): PageName {
  return PAGES.find((page) => page.name === raw)?.name ?? 'profile'
}

/** When something ends, as a person says it. */
export function ends(at: string | null): string {
  return at === null ? 'never' : at.slice(0, 10)
}
