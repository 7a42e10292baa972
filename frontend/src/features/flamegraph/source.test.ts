import { expect, it } from 'vitest'
import { onlySource, sourceOf } from './source'

it('derives the upstream version of a release', () => {
  expect(sourceOf('6.12.117+deb13-cloud-amd64')?.tag).toBe('v6.12.117')
  expect(sourceOf('5.15.0-1040-gke')?.tag).toBe('v5.15')
  expect(sourceOf('6.18.44-fc-v657')?.linkTo('shrink_lruvec')).toBe('https://elixir.bootlin.com/linux/v6.18.44/A/ident/shrink_lruvec')
})

it('returns null without a unique release', () => {
  expect(sourceOf('mainline')).toBeNull()
  expect(onlySource([])).toBeNull()
  expect(onlySource(['6.12.1', '5.15.0'])).toBeNull()
  expect(onlySource(['6.12.1', '6.12.1'])?.tag).toBe('v6.12.1')
})
