import { describe, expect, it } from 'vitest'
import { bytes, difference, lines, replaced, verdictWord } from './words'

describe('what redaction did, in words', () => {
  it('marks what changed in a line, and nothing else', () => {
    const told = difference('user jdoe ran', 'user zqfu ran')
    expect(told.before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['jdoe'])
    expect(told.after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['zqfu'])
    expect(told.before.map(({ text }) => text).join('')).toBe('user jdoe ran')
  })
  it('marks a whole name, also where its pseudonym shares letters with it', () => {
    const told = difference('at db-02-x: up', 'at dq-02-z: up')
    expect(told.before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['db-02-x'])
    expect(told.after.map(({ text }) => text)).toEqual(['at ', 'dq-02-z', ': up'])
  })
  it('marks a whole line whose length changed', () => {
    expect(difference('a bc', 'a bcd').after).toEqual([{ text: 'a bcd', isChanged: true }])
  })
  it('tells the most frequent kind first, and a kind it does not know by its name', () => {
    expect(replaced({ host: 2, user: 7, other: 1 }).map(({ label }) => label)).toEqual(['users', 'host names', 'other'])
  })
  it('tells sizes as people read them', () => {
    expect([bytes(12), bytes(2048), bytes(3 << 20)]).toEqual(['12 B', '2.0 KiB', '3.0 MiB'])
  })
  it('counts one line as one', () => {
    expect([lines(1), lines(1234)]).toEqual(['1 line', '1,234 lines'])
  })
  it('says that a verdict is not told where there is none', () => {
    expect([verdictWord('no_match'), verdictWord('')]).toEqual(['no match', 'not told'])
  })
})
