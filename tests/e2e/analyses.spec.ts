import { expect, type Locator, test } from '@playwright/test'
import { drop, judged, recorded } from './evidence'

/** How far something goes beyond one of the boxes that it is in. */
const overhang = (part: Locator) =>
  part.evaluate((inner) => {
    let most = 0
    for (let box: Element | null = inner; box; box = box.parentElement) most = Math.max(most, box.scrollWidth - box.clientWidth)
    return most
  })

test('the general analyses of a kernel log show each number and line within their panel', async ({ page }) => {
  await page.goto('/')
  await drop(page, [recorded('kernel-log', 'dmesg-iso.oom.txt')])
  await judged(page)
  const place = page.getByTestId('analyses').getByRole('button', { name: /dmesg-iso\.oom\.txt ?:\d+/ })
  await expect(place).not.toHaveCount(0)
  for (const width of [1440, 420]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => overhang(place.first().locator('xpath=ancestor::table')), { message: `${width} wide` }).toBeLessThanOrEqual(1)
  }
})
