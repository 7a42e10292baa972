import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { drop, judged, sample } from './evidence'

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).exclude('iframe').analyze()
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

const VIEWS = [
  ['Time', 'time-graph'],
  ['Table', 'top-table'],
  ['Lanes', 'lanes'],
  ['Icicle', 'flame-graph'],
] as const

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme })

    test('the pages have no violation that axe finds', async ({ page }) => {
      await page.goto('/')
      await drop(page, sample('reclaim-at-the-limit'))
      await judged(page)
      await page.locator('[data-testid=clause-row] button').first().click()
      await expect(page.getByTestId('flame-graph')).toBeVisible()
      expect(await violations(page)).toEqual([])
      for (const [view, shown] of VIEWS) {
        await page.getByRole('button', { name: view, exact: true }).click()
        await expect(page.getByTestId(shown)).toBeVisible()
        expect(await violations(page), view).toEqual([])
      }
      await page.getByTestId('flame-graph').focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Shift+F10')
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await violations(page), 'the menu of a frame').toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('flame-graph')).toBeFocused()
      await page.getByRole('link', { name: 'mm/memcg-limit-reclaim' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.goto('/')
      await expect(page.getByTestId('case-table')).toBeVisible()
      expect(await violations(page)).toEqual([])
    })
  })
}
