import { expect, type Locator, test } from '@playwright/test'
import { drop, judged, recorded } from './evidence'

/** The largest overflow of an element or its ancestors, in pixels. */
const overflow = (element: Locator) =>
  element.evaluate((inner) => {
    let most = 0
    for (let box: Element | null = inner; box; box = box.parentElement) most = Math.max(most, box.scrollWidth - box.clientWidth)
    return most
  })

test('the system overview of a kernel log fits its panel', async ({ page }) => {
  await page.goto('/')
  await drop(page, [recorded('kernel-log', 'dmesg-iso.oom.txt')])
  await judged(page)
  const citation = page.getByTestId('analyses').getByRole('button', { name: /dmesg-iso\.oom\.txt ?:\d+/ })
  await expect(citation).not.toHaveCount(0)
  for (const width of [1440, 420]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => overflow(citation.first().locator('xpath=ancestor::table')), { message: `${width} wide` }).toBeLessThanOrEqual(1)
  }
})
