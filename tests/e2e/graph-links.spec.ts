import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { select } from './graph'

const CASE = '/cases/2'

async function open(page: Page, search: string, shown: string): Promise<void> {
  await page.goto(`${CASE}${search}`)
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: 300_000 })
  await expect(page.getByTestId(shown).first()).toBeVisible()
}

async function menuOf(page: Page, item: RegExp): Promise<void> {
  const graph = page.getByTestId('flame-graph')
  await expect(graph).not.toHaveAttribute('data-selected-node', '')
  await graph.press('Shift+F10')
  await page.getByRole('menuitem', { name: item }).click()
}

test('a pinned time and a pinned thread are part of the link, and work in any view', async ({ page }) => {
  await open(page, '?t0=2&t1=5', 'flame-graph')
  await page.getByRole('button', { name: 'Pin this time' }).click()
  await page.getByRole('button', { name: /^Remove: 2–5 s/ }).click()
  await page.getByRole('button', { name: /^Filters/ }).click()
  const who = page.getByLabel('Command or thread')
  const thread = await who.locator('option[value^="tid:"]').first().getAttribute('value')
  await who.selectOption(thread)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pin this thread' }).click()
  await page.getByRole('button', { name: /^Filters/ }).click()
  await who.selectOption('')
  await page.keyboard.press('Escape')
  await page.goto(page.url().replace('?', '?view=table&'))
  const pins = page.getByRole('list', { name: 'Pinned' })
  await pins.getByRole('button', { name: /^2–5 s/ }).click()
  await expect(page).toHaveURL(/t0=2&t1=5/)
  await pins.getByRole('button').nth(2).click()
  await expect(page).toHaveURL(new RegExp(`tid=.*${thread?.slice(4)}`))
  await expect(page.getByTestId('top-table')).toBeVisible()
})

test('a frame links to the cases that contain it', async ({ page }) => {
  await open(page, `?q=${encodeURIComponent('^try_charge_memcg$')}`, 'flame-graph')
  await page.getByRole('button', { name: 'Next match' }).click()
  await expect(page).toHaveURL(/node=/)
  await menuOf(page, /^Cases with this frame/)
  const cases = page.getByTestId('frame-cases')
  await expect(cases.getByRole('row').filter({ hasText: 'this profile' })).toContainText('%')
  await expect(cases.getByRole('heading')).toBeFocused()
  await page.goto(page.url())
  await cases.getByRole('link', { name: /vanishing CPU/ }).click()
  await expect(page).toHaveURL(/\/cases\/1\?.*q=/)
  await expect(page.getByTestId('search-result')).toContainText('1 functions')
})

test('a signature is drafted from a frame', async ({ page }) => {
  await open(page, '', 'flame-graph')
  await select(page.getByTestId('flame-graph'), ...Array.from({ length: 9 }, () => 'ArrowUp'))
  const name = await page.getByTestId('selected-frame').locator('code').first().textContent()
  const saved = page.waitForEvent('download')
  await menuOf(page, /^Draft a signature/)
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text).toContain(`contains: [${name}]`)
})

test('table, lanes and sandwich restore their state from the link', async ({ page }) => {
  await open(page, '?view=table', 'top-table')
  await page.getByTestId('top-table').getByRole('button', { name: 'Total' }).click()
  await expect(page).toHaveURL(/sort=total/)
  await open(page, '?view=lanes&t0=2&t1=5', 'lanes')
  await page.getByTestId('lanes').press('ArrowRight')
  await expect(page).toHaveURL(/span=/)
  const first = await page.getByTestId('lane-readout').textContent()
  await page.getByTestId('lanes').press('ArrowRight')
  await expect(page.getByTestId('lane-readout')).not.toHaveText(first ?? '')
  const readout = await page.getByTestId('lane-readout').textContent()
  await page.goto(page.url())
  await expect(page.getByTestId('lane-readout')).toHaveText(readout ?? '')
  await open(page, '?view=sandwich&of=try_charge_memcg', 'callees')
  await select(page.getByTestId('callees'), 'ArrowDown', 'ArrowDown')
  await page.getByTestId('callees').press('Enter')
  await expect(page.getByTestId('callees')).not.toHaveAttribute('data-zoom-node', '')
  const zoom = await page.getByTestId('callees').getAttribute('data-zoom-node')
  await page.goto(page.url())
  await expect(page.getByTestId('callees')).toHaveAttribute('data-zoom-node', zoom ?? '')
})
