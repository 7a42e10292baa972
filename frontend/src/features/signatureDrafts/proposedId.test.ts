import { expect, it } from 'vitest'
import { proposedId } from './proposedId'

it('proposes the area of the cause and the first words of the title', () => {
  expect(proposedId('db-7: mkdir hangs (FUSE), again and again', 'fs/fuse-server-hang')).toBe('fs/db-7-mkdir-hangs-fuse-again')
})

it('proposes a name for a case without words', () => {
  expect(proposedId('…', '')).toBe('local/my-stall')
})
