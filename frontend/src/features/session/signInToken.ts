/** The one-time token in what a person typed: the printed URL, or the token itself. */
export function tokenIn(typed: string): string {
  return /[?&]token=([^&#\s]+)/.exec(typed)?.[1] ?? typed.trim()
}
