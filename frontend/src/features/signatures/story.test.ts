import { expect, it } from 'vitest'
import { readStory } from './story'

it('takes the title out of the text of a story', () => {
  expect(readStory('# Signal 11\n\nWorkers die.\n')).toEqual({ title: 'Signal 11', text: 'Workers die.', minutes: 1 })
  expect(readStory('word '.repeat(1100)).minutes).toBe(5)
  expect(readStory('')).toEqual({ title: '', text: '', minutes: 1 })
})
