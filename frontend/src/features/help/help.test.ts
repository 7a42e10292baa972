import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anchorOf, targetOf } from './links'
import { TASKS, topicOf } from './topics'

const REPOSITORY = join(import.meta.dirname, '../../../..')
const DOCS = join(REPOSITORY, 'docs')
const pages = new Set(readdirSync(DOCS).map((name) => name.replace(/\.md$/, '')))
const anchorsOf = (page: string) => [...readFileSync(join(DOCS, `${page}.md`), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''))

it('every screen has a help page, and its section exists', () => {
  const source = readFileSync(join(REPOSITORY, 'backend/core/http/static_pages.py'), 'utf8')
  const routes = [...(/^ROUTES = \(\n(.*?)^\)/ms.exec(source)?.[1] ?? '').matchAll(/"(.*?)"/g)].map(([, route]) => (route ?? '').replaceAll(/\$\w+/g, '7'))
  expect(routes.length).toBeGreaterThan(20)
  const wrong = routes
    .filter((route) => !route.startsWith('/help'))
    .filter((route) => {
      const { page, hash } = topicOf(route)
      return page === 'README' || !pages.has(page) || (hash !== '' && !anchorsOf(page).includes(hash))
    })
  expect(wrong).toEqual([])
})

it('every page by task exists', () => {
  for (const [page] of TASKS) expect(pages).toContain(page)
})

it.each([
  ['cli.md#diff', { page: 'cli', hash: 'diff' }],
  ['#runs', { page: 'ci', hash: 'runs' }],
  ['ci/action.yml', { file: 'ci/action.yml' }],
  ['https://grafana.com/docs', { url: 'https://grafana.com/docs' }],
  ['../benchmarks/GATE.md', null],
  ['nothing.md', null],
  ['javascript:alert(1)', null],
  ['ci/../../secret', null],
])('a link to %s leads to %o', (href, target) => {
  expect(targetOf(href, 'ci', pages)).toEqual(target)
})
