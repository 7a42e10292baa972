import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { drop, judged, sample } from './evidence'

type Citation = { evidence_id: string; first_line: number; last_line: number; profile_id: string | null; nodes: number[] }
type Finding = { signature: string; verdict: string; clauses: { id: string; citations: Citation[] }[] }

test.describe.configure({ mode: 'serial' })

let address = ''

async function findingsOf(page: Page): Promise<Finding[]> {
  const number = /\/cases\/(\d+)/.exec(page.url())?.[1]
  const response = await page.request.get(`/api/v1/cases/${number}/findings?all=true`)
  return ((await response.json()) as { items: Finding[] }).items
}

test('a dropped folder becomes a case with a match', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  address = page.url()
  const card = page.getByTestId('finding-card')
  await expect(card).toHaveAttribute('data-signature', 'mm/memcg-limit-reclaim')
  await expect(card).toHaveAttribute('data-verdict', 'match')
  await expect(page.getByRole('region', { name: 'Do this now' })).toContainText('Raise the limit')
  const livelock = page.locator('[data-testid=finding-row][data-signature="mm/shrink-lruvec-livelock"]')
  for (const row of await livelock.all()) expect(['match', 'suspect']).not.toContain(await row.getAttribute('data-verdict'))
  const verdicts = (await findingsOf(page)).filter(({ signature }) => signature === 'mm/shrink-lruvec-livelock').map(({ verdict }) => verdict)
  expect(verdicts).not.toContain('match')
  expect(verdicts).not.toContain('suspect')
})

test('a condition shows exactly its cited frames and lines', async ({ page }) => {
  await page.goto(address)
  const row = page.locator('[data-testid=clause-row][data-clause="memcg_reclaim"]')
  await row.getByRole('button').first().click()
  const match = (await findingsOf(page)).find(({ signature, verdict }) => signature === 'mm/memcg-limit-reclaim' && verdict === 'match')
  const citations = match?.clauses.find(({ id }) => id === 'memcg_reclaim')?.citations ?? []
  const profile = citations.find(({ nodes }) => nodes.length > 0)?.profile_id
  const nodes = citations.filter(({ profile_id }) => profile_id === profile).flatMap((citation) => citation.nodes)
  expect(nodes.length).toBeGreaterThan(0)

  const graph = page.getByTestId('flame-graph')
  await expect(graph).not.toHaveAttribute('data-outlined-nodes', '')
  const outlined = ((await graph.getAttribute('data-outlined-nodes')) ?? '').split(',').map(Number)
  expect(outlined.toSorted((a, b) => a - b)).toEqual([...new Set(nodes)].toSorted((a, b) => a - b))

  const [first] = citations
  const raw = page.getByTestId('raw-evidence')
  await expect(raw).toHaveAttribute('data-evidence', first?.evidence_id ?? '')
  const line = raw.locator(`[data-line="${first?.first_line}"]`)
  await expect(line).toHaveAttribute('data-cited', 'true')
  await expect(line).toBeInViewport()
  const response = await page.request.get(`/api/v1/evidence/${first?.evidence_id}/lines?first=${first?.first_line}&last=${first?.first_line}`)
  const [lineText] = ((await response.json()) as { lines: string[] }).lines
  await expect(line).toContainText((lineText ?? '').trim())
})

test('a frame links to the conditions that cite it', async ({ page }) => {
  await page.goto(address)
  await page.locator('[data-testid=clause-row][data-clause="memcg_reclaim"]').getByRole('button').first().click()
  const graph = page.getByTestId('flame-graph')
  await expect(graph).not.toHaveAttribute('data-outlined-nodes', '')
  const node = ((await graph.getAttribute('data-outlined-nodes')) ?? '').split(',')[0]
  const url = new URL(page.url())
  url.searchParams.delete('clause')
  url.searchParams.set('node', node ?? '')
  await page.goto(url.toString())
  const frame = page.getByTestId('selected-frame')
  await frame.getByRole('button', { name: /reclaim of a memory cgroup|memory cgroup reclaim/ }).first().click()
  await expect(page).toHaveURL(/clause=memcg_reclaim/)
  await expect(graph).not.toHaveAttribute('data-outlined-nodes', '')
})

test('the graph is navigated, zoomed and searched by keyboard', async ({ page }) => {
  await page.goto(address)
  const graph = page.getByTestId('flame-graph')
  await graph.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(graph).not.toHaveAttribute('data-selected-node', '')
  await page.keyboard.press('Enter')
  await expect(graph).not.toHaveAttribute('data-zoom-node', '')
  await page.keyboard.press('0')
  await expect(graph).toHaveAttribute('data-zoom-node', '')
  await page.keyboard.press('/')
  await page.keyboard.type('try_to_free_mem_cgroup')
  await expect(page.getByTestId('search-result')).toContainText('of the weight')
  await page.goBack()
})

test('speedscope shows the same total', async ({ page }) => {
  await page.goto(address)
  const expectedTotal = Number(await page.getByTestId('flame-graph').getAttribute('data-total-weight'))
  expect(expectedTotal).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Speedscope' }).click()
  const frame = page.frameLocator('iframe[title^="speedscope"]')
  await expect(frame.getByText('Left Heavy')).toBeVisible({ timeout: 60_000 })
  // Export from speedscope, to compare the total it computed itself.
  const [download] = await Promise.all([page.waitForEvent('download'), frame.getByText('Export').click()])
  const exported = JSON.parse(readFileSync(await download.path(), 'utf8')) as { profiles: { startValue: number; endValue: number }[] }
  const [all] = exported.profiles
  const exportedTotal = (all?.endValue ?? 0) - (all?.startValue ?? 0)
  expect(exportedTotal / expectedTotal).toBeCloseTo(1, 6)
})
