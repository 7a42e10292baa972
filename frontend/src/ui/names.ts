/** At most `most` names, and how many more there are: `db0, db1 and 38 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const [shown, rest] = [names.slice(0, most).join(', '), names.length - most]
  return rest > 0 ? `${shown} and ${rest} more` : shown
}
