import { expect, type Page, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

/** The recorded sample case of every instance; its views, and a test id that each view shows. */
const CASE = '/cases/2'
const PROOF = 'section[aria-label=Proof]'
const VIEWS = [
  ['flame', 'flame-graph'],
  ['flame&inverted=true', 'flame-graph'],
  ['icicle&q=lru', 'flame-graph'],
  ['time&cpu=1', 'time-graph'],
  ['sandwich&of=try_charge_memcg', 'callers'],
  ['table&sort=total', 'top-table'],
  ['lanes&t0=2&t1=5&pin=time:2-5', 'lanes'],
  ['lanes&by=thread', 'lanes'],
  ['flame&seen=filemap_fault', 'frame-cases'],
  ['numbers', 'histogram'],
] as const

async function open(page: Page, view: string, shown: string): Promise<void> {
  await page.goto(`${CASE}?view=${view}`)
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: 150_000 })
  await expect(page.getByTestId(shown).first()).toBeVisible()
}

for (const [view, shown] of VIEWS) {
  test(`axe finds no violation, light or dark, in the view ${view}`, async ({ page }) => {
    await open(page, view, shown)
    expect(await violationsInBothColours(page, PROOF)).toEqual([])
  })
}

test('axe finds no violation, light or dark, in the view diff', async ({ page }) => {
  await open(page, 'flame&t0=0&t1=5', 'flame-graph')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Diff', exact: true }).click()
  await page.getByRole('button', { name: 'Use selected time as A' }).click()
  await expect(page.getByTestId('diff-graph')).toBeVisible()
  expect(await violationsInBothColours(page, PROOF)).toEqual([])
})

test('with forced colours, a pressed button is distinguishable', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, 'lanes', 'lanes')
  const background = (name: string) =>
    page
      .getByRole('group', { name: 'View' })
      .getByRole('button', { name, exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await background('Lanes')).not.toBe(await background('Table'))
})

test('a case page fits a narrow window, with its buttons', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 })
  for (const [view, shown] of [VIEWS[0], VIEWS[6]]) {
    await open(page, view, shown)
    expect(await page.getByTestId('case-page').evaluate((box) => box.scrollWidth), view).toBeLessThanOrEqual(420)
  }
  for (const name of ['Copy link', 'Close case']) await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
})

test('a dark page and its graph are printed in light colours', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, 'flame', 'flame-graph')
  const colour = () =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-testid=flame-graph] canvas')
      const { width = 0, height = 0 } = canvas ?? {}
      const root = canvas?.getContext('2d')?.getImageData(Math.round(width / 2), height - 4, 1, 1).data
      return { root: root?.[0] ?? 0, paper: getComputedStyle(document.body).getPropertyValue('--panel').trim() }
    })
  const before = await colour()
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await expect.poll(async () => (await colour()).root).toBeGreaterThan(before.root + 80)
  expect((await colour()).paper).toMatch(/^#fff(fff)?$/)
})

test('with reduced motion a zoom is not animated', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, 'flame', 'flame-graph')
  const graph = page.getByTestId('flame-graph')
  await graph.focus()
  await page.keyboard.press('ArrowUp')
  const pictures = page.evaluate(async () => {
    const host = document.querySelector<HTMLElement>('[data-testid=flame-graph]')
    const canvas = host?.querySelector('canvas')
    const images: string[] = []
    let after = 0
    while (after < 30) {
      await new Promise(requestAnimationFrame)
      if (host?.dataset.zoomNode) after += 1
      const picture = canvas?.toDataURL() ?? ''
      if (picture !== images.at(-1)) images.push(picture)
    }
    return images.length
  })
  await page.keyboard.press('Enter')
  expect(await pictures).toBeLessThanOrEqual(3)
})
