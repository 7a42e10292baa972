import { expect, it } from 'vitest'
import { nextPath } from './nextPath'

const ORIGIN = 'https://casebook.example'

it('keeps a path of ours with its query and fragment', () => {
  for (const path of ['/', '/cases/7?tab=graph#line-3', '/library/a%09b', '/.//cases']) expect(nextPath(path, ORIGIN)).toBe(path)
})

it('refuses another site in every notation', () => {
  const others = ['//evil.example', '/\\evil.example', '/\t/evil.example', '/\n/evil.example', '/\r\\evil.example', '//evil.example:x']
  for (const raw of [...others, 'https://evil.example', 'javascript:alert(1)', 'cases', '', undefined, 7]) expect({ raw, path: nextPath(raw, ORIGIN) }).toEqual({ raw, path: undefined })
})
