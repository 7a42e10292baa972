import { describe, expect, it } from 'vitest'
import { bytes, difference, lines, replacementCounts, verdictLabel } from './labels'

describe('redaction labels', () => {
  it('marks only the changed parts of a line', () => {
    const parts = difference('user jdoe ran', 'user zqfu ran')
    expect(parts.before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['jdoe'])
    expect(parts.after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['zqfu'])
    expect(parts.before.map(({ text }) => text).join('')).toBe('user jdoe ran')
  })
  it('marks a whole name even if the pseudonym shares characters with it', () => {
    const parts = difference('at db-02-x: up', 'at dq-02-z: up')
    expect(parts.before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['db-02-x'])
    expect(parts.after.map(({ text }) => text)).toEqual(['at ', 'dq-02-z', ': up'])
  })
  it('marks the whole line if its length changed', () => {
    expect(difference('a bc', 'a bcd').after).toEqual([{ text: 'a bcd', isChanged: true }])
  })
  it('sorts kinds by frequency and shows unknown kinds by name', () => {
    expect(replacementCounts({ host: 2, user: 7, other: 1 }).map(({ label }) => label)).toEqual(['users', 'host names', 'other'])
  })
  it('formats sizes with binary units', () => {
    expect([bytes(12), bytes(2048), bytes(3 << 20)]).toEqual(['12 B', '2.0 KiB', '3.0 MiB'])
  })
  it('uses the singular for one line', () => {
    expect([lines(1), lines(1234)]).toEqual(['1 line', '1,234 lines'])
  })
  it('labels verdicts, and an empty one as not evaluated', () => {
    expect([verdictLabel('no_match'), verdictLabel('')]).toEqual(['is not', 'not evaluated'])
  })
})
