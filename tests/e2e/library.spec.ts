import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { drop, judged, sample } from './evidence'

const DATA = join(import.meta.dirname, '../data')
const STACK = readFileSync(join(DATA, 'published/vanishing-cpu/stack.shrink_lruvec.txt'), 'utf8')
const PERF_TOP = readFileSync(join(DATA, 'perf-table/perf-top.shrink_lruvec.txt'), 'utf8')
const LIVELOCK = 'mm/shrink-lruvec-livelock'

const box = (page: Page) => page.getByRole('textbox', { name: 'Search the library' })
const first = (page: Page) => page.getByTestId('answer').first()
const settled = (page: Page) => expect(page.getByTestId('library')).toHaveAttribute('data-settled', 'true')

async function asked(page: Page, text: string, key: string): Promise<void> {
  await box(page).fill(text)
  await expect(first(page)).toHaveAttribute('data-key', key)
  await settled(page)
}

/** Paste as a person does: through the clipboard's own event. */
async function paste(page: Page, text: string): Promise<void> {
  await box(page).click()
  await page.keyboard.insertText(text)
}

test('what somebody notices in the first minute finds its story, and the story is one key away', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Library' }).click()
  await asked(page, 'ps aux hangs', 'mm/mmap-lock-held-in-reclaim')
  await expect(page).toHaveURL(/q=ps(\+|%20)aux(\+|%20)hangs/)
  await expect(first(page).locator('mark').first()).toBeVisible()
  await asked(page, 'perf shows nothing', 'mm/mmap-lock-held-in-reclaim')
  await asked(page, 'high system CPU only after deploy', 'writeback/inode-switch-wbs-storm')
  await box(page).press('ArrowDown')
  await expect(first(page).getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('signature')).toContainText('Four minutes after boot')
  await page.goBack()
  await expect(box(page)).toHaveValue('high system CPU only after deploy')
})

test('a pasted stack is recognised and judged, and its link opens the same answers', async ({ page, context }) => {
  await page.goto('/library')
  await paste(page, STACK)
  await expect(page.getByTestId('recognised')).toContainText('Stacks without weights')
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await expect(first(page)).toContainText('What you pasted shows:')
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

test('a file dropped anywhere on the library is asked about, and one without text says where it belongs', async ({ page }) => {
  const fileOf = (content: string, name: string) =>
    page.evaluateHandle(([text, called]) => {
      const held = new DataTransfer()
      held.items.add(new File([text ?? ''], called ?? ''))
      return held
    }, [content, name])
  await page.goto('/library')
  await settled(page)
  const stack = { dataTransfer: await fileOf(STACK, 'stack.txt') }
  await page.getByTestId('library').dispatchEvent('dragenter', stack)
  await expect(page.getByTestId('library')).toHaveAttribute('data-veil', /search/)
  await page.getByTestId('library').dispatchEvent('drop', stack)
  await expect(page.getByTestId('dropped')).toContainText('stack.txt is asked about')
  await expect(box(page)).toHaveValue(STACK)
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await page.getByTestId('library').dispatchEvent('drop', { dataTransfer: await fileOf('\0\0', 'perf.data') })
  await expect(page.getByTestId('dropped')).toContainText('perf.data holds no text')
  await expect(box(page)).toHaveValue(STACK)
})

test('facets narrow, count and stand in the address; a kernel is judged', async ({ page }) => {
  await page.goto('/library')
  await settled(page)
  const area = page.getByRole('group', { name: 'Area' })
  await area.getByRole('button', { name: /^net/ }).click()
  await expect(page).toHaveURL(/area=net/)
  await expect(page.getByTestId('answer')).toHaveCount(2)
  await page.getByLabel('Your kernel').fill('4.14.0')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/kernel=4\.14\.0/)
  await area.getByRole('button', { name: /^net/ }).click()
  await page.getByRole('group', { name: 'Is it affected?' }).getByRole('button', { name: /^affected/ }).click()
  await expect(page.locator('[data-key="mm/memcg-stat-show-stall"]')).toContainText('your kernel has it')
  await page.goBack()
  await expect(page.getByRole('button', { name: /^affected/ })).toHaveAttribute('aria-pressed', 'false')
})

test('a slip of the finger is asked about, and what nothing speaks of says what to do', async ({ page }) => {
  await page.goto('/library?q=shrink_lruvc')
  await page.getByTestId('did-you-mean').getByRole('button', { name: 'shrink_lruvec' }).click()
  await expect(box(page)).toHaveValue('shrink_lruvec')
  await expect(first(page)).toHaveAttribute('data-key', LIVELOCK)
  await box(page).fill('zzyzx qwfpg')
  await expect(page.getByText('Nothing in the library speaks of that.')).toBeVisible()
  await expect(page.getByTestId('answer')).toHaveCount(0)
})

test('a search that fails says so, keeps what was asked, and works again', async ({ page }) => {
  await page.goto('/library')
  await settled(page)
  await page.route('**/library/search*', (route) => route.abort())
  await box(page).fill('ping spikes')
  await expect(page.getByText('The library could not be searched.')).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/library/search*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(box(page)).toHaveValue('ping spikes')
  await expect(first(page)).toHaveAttribute('data-key', 'mm/memcg-stat-show-stall')
})

test('a signature shows its evidence: a graph to zoom, histograms, and what only looks alike', async ({ page }) => {
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
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
})

test('a case says where it was seen before, each share, and draws the difference at one click', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  const twin = page.getByTestId('similar-case').first()
  await expect(twin).toContainText(/stacks \d+ %/, { timeout: 60_000 })
  await expect(page.getByTestId('seen-before')).toContainText('Stories that fit')
  await twin.getByRole('link', { name: 'What differs, as a flame graph' }).click()
  await expect(page).toHaveURL(/\/compare\?a=.+&b=.+/)
  // The very same recording: the difference is drawn, and there is none.
  await expect(page.getByTestId('compare-page')).toContainText('shares of their own 100 %')
  await expect(page.getByTestId('compare-page')).toContainText('No frame changed')
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the library is accessible in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto('/library?q=memory%20limit&kernel=6.1')
    await expect(first(page)).toBeVisible()
    await settled(page)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
  })
}
