/** The id proposed for a signature drafted from a case: its cause's area, and the words of its title. */
export function proposedId(title: string, signature: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .split('-')
    .filter(Boolean)
  return `${signature.split('/')[0] || 'local'}/${words.slice(0, 6).join('-') || 'my-stall'}`
}
