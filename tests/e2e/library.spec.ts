import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { violations, violationsInBothColours } from './axe'
import { drop, judged, sample } from './evidence'

const DATA = join(import.meta.dirname, '../data')
const STACK = readFileSync(join(DATA, 'published/vanishing-cpu/stack.shrink_lruvec.txt'), 'utf8')
const PERF_TOP = readFileSync(join(DATA, 'perf-table/perf-top.shrink_lruvec.txt'), 'utf8')
const LIVELOCK = 'mm/shrink-lruvec-livelock'

const box = (page: Page) => page.getByRole('textbox', { name: 'Search the library' })
const first = (page: Page) => page.getByTestId('library-result').first()
const settled = (page: Page) => expect(page.getByTestId('library')).toHaveAttribute('data-settled', 'true')

async function searchFinds(page: Page, text: string, key: string): Promise<void> {
  await box(page).fill(text)
  await expect(first(page)).toHaveAttribute('data-key', key)
  await settled(page)
}

/** Insert text as a single input event, like a paste. */
async function paste(page: Page, text: string): Promise<void> {
  await box(page).click()
  await page.keyboard.insertText(text)
}

test('a symptom finds its signature, and the keyboard opens it', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Library' }).click()
  await searchFinds(page, 'ps aux hangs', 'mm/mmap-lock-held-in-reclaim')
  await expect(page).toHaveURL(/q=ps(\+|%20)aux(\+|%20)hangs/)
  await expect(first(page).locator('mark').first()).toBeVisible()
  await searchFinds(page, 'perf shows nothing', 'mm/mmap-lock-held-in-reclaim')
  await searchFinds(page, 'high system CPU only after deploy', 'writeback/inode-switch-wbs-storm')
  await box(page).press('ArrowDown')
  await expect(first(page).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('signature')).toContainText('Four minutes after boot')
  await page.goBack()
  await expect(box(page)).toHaveValue('high system CPU only after deploy')
})

test('a pasted stack is recognised, and its link opens the same results', async ({ page, context }) => {
  await page.goto('/library')
  await paste(page, STACK)
  await expect(page.getByTestId('recognised')).toContainText('Stacks without weights')
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await expect(first(page)).toContainText('Conditions met in your paste:')
  await expect(page).toHaveURL(/\/library#paste=/)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(first(other)).toHaveAttribute('data-key', LIVELOCK)
  await expect(box(other)).toHaveValue(STACK)
  await box(other).press('Escape')
  await expect(other).toHaveURL(/\/library$/)
  await paste(other, PERF_TOP)
  await expect(other.getByTestId('recognised')).toContainText('perf')
  await expect(first(other)).toHaveAttribute('data-key', LIVELOCK)
})

test('a dropped text file is searched, and a binary file is rejected with advice', async ({ page }) => {
  const fileOf = (content: string, name: string) =>
    page.evaluateHandle(([text, filename]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text ?? ''], filename ?? ''))
      return transfer
    }, [content, name])
  await page.goto('/library')
  await settled(page)
  const stack = { dataTransfer: await fileOf(STACK, 'stack.txt') }
  await page.getByTestId('library').dispatchEvent('dragenter', stack)
  await expect(page.getByTestId('library')).toHaveAttribute('data-drop-message', /search/)
  await page.getByTestId('library').dispatchEvent('drop', stack)
  await expect(page.getByTestId('dropped')).toContainText('Search text: stack.txt')
  await expect(box(page)).toHaveValue(STACK)
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await page.getByTestId('library').dispatchEvent('drop', { dataTransfer: await fileOf('\0\0', 'perf.data') })
  await expect(page.getByTestId('dropped')).toContainText('perf.data contains no text')
  await expect(box(page)).toHaveValue(STACK)
})

test('facets filter, show counts and are part of the URL; a kernel release is checked', async ({ page }) => {
  await page.goto('/library')
  await settled(page)
  const area = page.getByRole('group', { name: 'Area' })
  const net = area.getByRole('button', { name: /^Network/ })
  const count = Number((await net.innerText()).replace(/\D/g, ''))
  expect(count).toBeGreaterThan(1)
  await net.click()
  await expect(page).toHaveURL(/area=net/)
  await expect(page.getByTestId('library-result')).toHaveCount(count)
  await page.getByRole('button', { name: 'By symptom' }).click()
  await expect(page).toHaveURL(/shelf=symptom/)
  await expect(page.locator('[data-shelf="network"]')).toContainText('The connection tracking table is full')
  await page.getByLabel('My kernel').fill('4.14.0')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/kernel=4\.14\.0/)
  await area.getByRole('button', { name: /^Network/ }).click()
  await page.getByRole('group', { name: 'Kernel status' }).getByRole('button', { name: /^affected/ }).click()
  await expect(page.locator('[data-testid="library-result"][data-key="mm/memcg-stat-show-stall"]')).toContainText('kernel affected')
  await page.goBack()
  await expect(page.getByRole('button', { name: /^affected/ })).toHaveAttribute('aria-pressed', 'false')
})

test('a typo is corrected, and an empty result says what to do', async ({ page }) => {
  await page.goto('/library?q=shrink_lruvc')
  await page.getByTestId('did-you-mean').getByRole('button', { name: 'shrink_lruvec' }).click()
  await expect(box(page)).toHaveValue('shrink_lruvec')
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await box(page).fill('zzyzx qwfpg')
  await expect(page.getByText('No results.')).toBeVisible()
  await expect(page.getByTestId('library-result')).toHaveCount(0)
})

test('a failed search shows an error, keeps the input and can be retried', async ({ page }) => {
  await page.goto('/library')
  await settled(page)
  await page.route('**/library/search*', (route) => route.abort())
  await box(page).fill('ping spikes')
  await expect(page.getByText('The library could not be searched.')).toBeVisible()
  await page.unroute('**/library/search*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(box(page)).toHaveValue('ping spikes')
  await expect(first(page)).toHaveAttribute('data-key', 'mm/memcg-stat-show-stall')
})

test('a signature shows its evidence: flame graph, histograms and look-alikes', async ({ page }) => {
  await page.goto('/signatures/mm/memcg-limit-reclaim')
  const exhibits = page.getByTestId('exhibits')
  const graph = exhibits.getByTestId('flame-graph')
  await expect(graph).toBeVisible()
  await graph.focus()
  await page.keyboard.press('ArrowDown')
  await expect(graph).not.toHaveAttribute('data-selected-node', '')
  await page.keyboard.press('Enter')
  await expect(graph).not.toHaveAttribute('data-zoom-node', '')
  await page.getByLabel('Evidence', { exact: true }).selectOption('neg-healthy-database')
  await expect(page).toHaveURL(/evidence=neg-healthy-database/)
  await expect(exhibits).toHaveAttribute('data-name', 'neg-healthy-database')
  expect(await violations(page)).toEqual([])
})

test('a case lists similar cases with shares and compares flame graphs', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  const similar = page.getByTestId('similar-case').first()
  await expect(similar).toContainText(/stacks \d+ %/)
  await expect(page.getByTestId('similar-cases')).toContainText('Related stories')
  await similar.getByRole('link', { name: 'Compare flame graphs' }).click()
  await expect(page).toHaveURL(/\/compare\?a=.+&b=.+/)
  // The same recording: the diff is empty.
  await expect(page.getByTestId('compare-page')).toContainText('shares relative to each total')
  await expect(page.getByTestId('compare-page')).toContainText('No frame changed')
})

test('the library is accessible in light and dark colours', async ({ page }) => {
  await page.goto('/library?q=memory%20limit&kernel=6.1')
  await expect(first(page)).toBeVisible()
  await settled(page)
  expect(await violationsInBothColours(page)).toEqual([])
})
