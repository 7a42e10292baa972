import { expect, type Page, test } from '@playwright/test'
import { violations } from './axe'
import { drop, judged, recorded, sample } from './evidence'
import { restingBox, select } from './graph'

test.describe.configure({ mode: 'serial' })

let address = ''
let ordered = ''

const view = (page: Page, name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name, exact: true }).click()
const number = async (page: Page, name: string) => Number(await page.getByTestId('flame-graph').getAttribute(name))

test('a recording and a list of ordered stacks become cases', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit').filter(({ path }) => path.startsWith('perf.script')))
  await judged(page)
  address = page.url()
  await page.goto('/')
  await drop(page, [recorded('folded', 'perf-ordered-folded.txt')])
  await judged(page)
  ordered = page.url()
  expect(new URL(ordered).pathname).not.toBe(new URL(address).pathname)
})

test('the brush of the heat map selects time for the graph, and Back undoes it', async ({ page }) => {
  await page.goto(address)
  const map = page.getByTestId('heat-map')
  await expect(map).toBeVisible()
  const all = await number(page, 'data-total-samples')
  const box = await restingBox(map)
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height - 3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.3, box.y + 3, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/t0=/)
  await expect.poll(() => number(page, 'data-total-samples')).toBeLessThan(all)
  await expect(page.getByTestId('profile-summary')).toContainText('of all samples')
  await page.goBack()
  await expect.poll(() => number(page, 'data-total-samples')).toBe(all)
})

test('the heat map works by keyboard', async ({ page }) => {
  await page.goto(address)
  await page.getByTestId('heat-map').focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/t0=1&t1=2/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/t0=/)
})

test('a double click zooms the frame that its first click selected', async ({ page }) => {
  const graph = page.getByTestId('flame-graph')
  for (const [across, up] of [
    [0.05, 30],
    [0.2, 60],
    [0.35, 120],
  ] as const) {
    await page.goto(address)
    await expect(graph).not.toHaveAttribute('data-outlined-nodes', '')
    const box = await restingBox(graph)
    const [x, y] = [box.x + box.width * across, box.y + box.height - up]
    await page.mouse.click(x, y)
    await expect(graph).not.toHaveAttribute('data-selected-node', '')
    const selected = await graph.getAttribute('data-selected-node')
    // The graph must not move below the pointer while the details of the selected frame come.
    await expect(page.getByTestId('selected-frame')).toBeVisible()
    expect(await restingBox(graph)).toEqual(box)
    await page.mouse.dblclick(x, y)
    await expect(graph).toHaveAttribute('data-zoom-node', selected ?? '')
  }
})

test('a graph opens on its hottest part below a command, and leads back to the whole', async ({ page }) => {
  await page.goto(address)
  const graph = page.getByTestId('flame-graph')
  await expect(graph).not.toHaveAttribute('data-zoom-node', '')
  const opened = await graph.getAttribute('data-zoom-node')
  const path = page.getByRole('navigation', { name: 'Zoom' })
  await expect(path.locator('[aria-current]')).toContainText('%')
  await expect(page.getByTestId('heat-map')).toHaveAttribute('data-has-shares', 'true')
  await path.getByRole('button', { name: 'All' }).click()
  await expect(page).toHaveURL(/whole=true/)
  await expect(graph).toHaveAttribute('data-zoom-node', '')
  await graph.focus()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByTestId('selected-frame')).toContainText('command')
  await page.goBack()
  await expect(graph).toHaveAttribute('data-zoom-node', opened ?? '')
})

test('frames without symbols are one box, which expands', async ({ page }) => {
  await page.goto(`${address}?whole=true`)
  const graph = page.getByTestId('flame-graph')
  const joined = await number(page, 'data-node-count')
  const weight = await number(page, 'data-total-weight')
  await page.keyboard.press('Shift+F')
  await page.getByRole('button', { name: 'Frames without symbols: joined' }).click()
  await expect(page).toHaveURL(/symbols=all/)
  await expect.poll(() => number(page, 'data-node-count')).toBeGreaterThan(joined)
  expect(await number(page, 'data-total-weight')).toBe(weight)
  await expect(graph).not.toHaveAttribute('data-zoom-node', '')
})

test('the toolbar keeps its height while it searches and filters', async ({ page }) => {
  await page.goto(address)
  const graph = page.getByTestId('flame-graph')
  const before = await restingBox(graph)
  await page.keyboard.press('/')
  await page.keyboard.type('shrink')
  await expect(page.getByTestId('search-result')).toContainText('of the weight')
  await expect(page).toHaveURL(/q=shrink/)
  expect(await restingBox(graph)).toEqual(before)
  await page.getByRole('button', { name: 'End search' }).click()
  await expect(page).not.toHaveURL(/q=/)
  await page.keyboard.press('Shift+F')
  await expect(page.getByRole('group', { name: 'Filters' })).toBeVisible()
  expect(await restingBox(graph)).toEqual(before)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: 'Filters' })).toHaveCount(0)
})

test('the menu of a frame hides its stacks, and a chip restores them', async ({ page }) => {
  await page.goto(address)
  const graph = page.getByTestId('flame-graph')
  const all = await number(page, 'data-total-weight')
  await select(graph, 'ArrowUp')
  await graph.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Hide stacks through it' }).click()
  await expect.poll(() => number(page, 'data-total-weight')).toBeLessThan(all)
  await page.getByRole('button', { name: /^Remove: without/ }).click()
  await expect.poll(() => number(page, 'data-total-weight')).toBe(all)
})

test('a sandwich shows the same total as the table', async ({ page }) => {
  await page.goto(`${address}?view=table&q=${encodeURIComponent('^shrink_lruvec$')}`)
  const row = page.getByTestId('top-table').getByRole('row').filter({ hasText: 'shrink_lruvec' })
  const share = (await row.getByRole('cell').nth(2).textContent())?.trim() ?? ''
  expect(share).toMatch(/%$/)
  await row.getByRole('button', { name: 'Callers and callees of shrink_lruvec' }).click()
  await expect(page.getByTestId('sandwich')).toHaveAttribute('data-name', 'shrink_lruvec')
  await expect(page.getByTestId('sandwich')).toContainText(`${share} total`)
  await expect(page.getByTestId('callers')).toBeVisible()
  await expect(page.getByTestId('callees')).toBeVisible()
})

test('lanes show the reader, then the softirq thread that waited for it', async ({ page }) => {
  await page.goto(ordered)
  await view(page, 'Lanes')
  const lanes = page.getByTestId('lanes')
  await expect(lanes).toHaveAttribute('data-spans', '2')
  await lanes.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('lane-readout')).toContainText('cadvisor · samples 1–5 · 5 samples · all in memcg_stat_show')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('lane-readout')).toContainText('ksoftirqd/11 · samples 6–7 · 2 samples · all in net_rx_action')
  await page.keyboard.press('Enter')
  await expect.poll(() => number(page, 'data-total-samples')).toBe(2)
})

test('a time range is compared with an earlier one', async ({ page }) => {
  await page.goto(`${address}?t0=0&t1=5`)
  await view(page, 'Diff')
  await page.getByRole('button', { name: 'Use selected time as A' }).click()
  await expect(page).toHaveURL(/b0=0&b1=5/)
  const graph = page.getByTestId('diff-graph')
  await graph.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('diff-readout')).toContainText(/[+−±]\d+\.\d %/)
})

test('the time view shows a single CPU', async ({ page }) => {
  await page.goto(address)
  await view(page, 'Time')
  await page.getByRole('button', { name: 'CPU 1', exact: true }).click()
  await expect(page).toHaveURL(/cpu=/)
  await expect(page.getByTestId('time-graph')).toBeVisible()
})

test('a pin is part of the link and finds its stack by name', async ({ page }) => {
  await page.goto(address)
  await select(page.getByTestId('flame-graph'), 'ArrowUp')
  await page.getByTestId('flame-graph').press('Shift+F10')
  await page.getByRole('menuitem', { name: /^Pin/ }).click()
  await expect(page.getByRole('list', { name: 'Pinned' })).toBeVisible()
  await page.goto(page.url())
  await expect(page.getByRole('list', { name: 'Pinned' })).toContainText('%')
})

test('histograms show percentiles with the precision of their buckets', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit').filter(({ path }) => path.startsWith('bpftrace')))
  await judged(page)
  await view(page, 'Numbers')
  const reclaim = page.getByTestId('histogram').filter({ hasText: '@reclaim_us' })
  await expect(reclaim).toHaveAttribute('data-scale', 'log2')
  await expect(reclaim).toContainText('p50 128 µs–256 µs')
  await reclaim.getByRole('button', { name: 'Time share' }).click()
  await expect(reclaim.getByRole('img')).toContainText('%')
})

test('two profiles of different cases are compared, with the facts that differ', async ({ page }) => {
  const profileOf = async (caseNumber: string) => {
    const response = await page.request.get(`/api/v1/cases/${caseNumber}/profiles`)
    return ((await response.json()) as { items: { id: string }[] }).items[0]?.id ?? ''
  }
  const [a, b] = [await profileOf('2'), await profileOf(/\/cases\/(\d+)/.exec(address)?.[1] ?? '')]
  await page.goto(`/compare?a=${a}&b=${b}`)
  await page.getByRole('button', { name: 'Show all changes' }).click()
  await page.getByTestId('diff-graph').focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('diff-readout')).toContainText('±0.0 %')
  await expect(page.getByTestId('fact-table')).toContainText('memcg.')
  expect(await violations(page)).toEqual([])
})

test('speedscope shows the current selection', async ({ page }) => {
  await page.goto(`${address}?t0=0&t1=5`)
  await expect(page.getByTestId('profile-summary')).toContainText('of all samples')
  const request = page.waitForRequest(/speedscope\.json\?.*t1=5/)
  await view(page, 'Speedscope')
  await request
  await expect(page.frameLocator('iframe[title^="speedscope"]').getByText('Left Heavy')).toBeVisible({ timeout: 60_000 })
})
