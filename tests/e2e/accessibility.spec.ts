import { expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'
import { drop, judged, sample } from './evidence'

test('pages have no axe violations in light and dark colours', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  await page.locator('[data-testid=clause-row] button').first().click()
  await expect(page.getByTestId('flame-graph')).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  await page.getByTestId('flame-graph').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await violationsInBothColours(page), 'the menu of a frame').toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('flame-graph')).toBeFocused()
  await page.getByRole('link', { name: 'mm/memcg-limit-reclaim' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  await page.goto('/')
  await expect(page.getByTestId('case-table')).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
})
