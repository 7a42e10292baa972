import { expect, type Page, test } from '@playwright/test'
import { contrastViolationsInDark, violations, violationsInBothColours } from './axe'
import { IS_LONG } from './long-form'

/** The recorded sample case of every instance; its views, and a test id that each view shows. */
const CASE = '/cases/2'
const PHONE = { width: 390, height: 844 }
const PROOF = 'section[aria-label=Proof]'
const TIMED_LANES = ['lanes&t0=2&t1=5&pin=time:2-5', 'lanes'] as const
/** In an order in which a view shows what the one before it does not. */
const VIEWS = [
  ['flame', 'flame-graph'],
  ['table&sort=total', 'top-table'],
  ['flame&inverted=true', 'flame-graph'],
  ['time&cpu=1', 'time-graph'],
  ['icicle&q=lru', 'flame-graph'],
  TIMED_LANES,
  ['sandwich&of=try_charge_memcg', 'callers'],
  ['lanes&by=thread', 'lanes'],
  ['flame&seen=filemap_fault', 'frame-cases'],
  ['numbers', 'histogram'],
] as const

async function open(page: Page, view: string, shown: string): Promise<void> {
  await page.goto(`${CASE}?view=${view}`)
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: 300_000 })
  await expect(page.getByTestId(shown).first()).toBeVisible()
}

/** Follow a link inside the loaded page, which costs less than loading it again. */
async function follow(page: Page, view: string, shown: string): Promise<void> {
  await page.evaluate((address) => history.pushState(null, '', address), `${CASE}?view=${view}`)
  await expect(page.getByRole('group', { name: 'View' })).toBeVisible()
  await expect(page.getByTestId(shown).first()).toBeVisible()
}

test('pages have no axe violations in light and dark colours', async ({ page }) => {
  await open(page, 'flame', 'flame-graph')
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
  await expect(page.getByTestId('signature')).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  await page.goto('/')
  await expect(page.getByTestId('case-table')).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  for (const lost of ['/no-such-page', '/cases/999999']) {
    await page.goto(lost)
    await expect(page.getByRole('heading', { level: 1, name: /not (found|available)/ })).toBeVisible()
    expect(await violationsInBothColours(page), lost).toEqual([])
  }
})

test('views of a profile have no axe violations in light and dark colours', async ({ page }) => {
  test.slow()
  await open(page, 'numbers', 'histogram')
  for (const [number, [view, shown]] of VIEWS.entries()) {
    await follow(page, view, shown)
    expect.soft(await violations(page, { within: PROOF }), view).toEqual([])
    // Views share their colours; in the short form every second one is looked at in the dark.
    if (IS_LONG || number % 2 === 0) expect.soft(await contrastViolationsInDark(page, PROOF), view).toEqual([])
  }
  await follow(page, 'flame&t0=0&t1=5', 'flame-graph')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Diff', exact: true }).click()
  await page.getByRole('button', { name: 'Use selected time as A' }).click()
  await expect(page.getByTestId('diff-graph')).toBeVisible()
  expect.soft(await violationsInBothColours(page, PROOF), 'diff').toEqual([])
})

test('with forced colours, a pressed button is distinguishable', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, 'lanes', 'lanes')
  const background = (name: string) =>
    page
      .getByRole('group', { name: 'View' })
      .getByRole('button', { name, exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect.poll(async () => (await background('Lanes')) === (await background('Table'))).toBe(false)
})

test('on a phone a case page begins with the answer and fits the screen', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const [view, shown] of [VIEWS[0], TIMED_LANES]) {
    await open(page, view, shown)
    await expect.poll(() => page.getByTestId('case-page').evaluate((box) => box.scrollWidth), view).toBeLessThanOrEqual(PHONE.width)
  }
  await page.getByTestId('case-page').evaluate((box) => box.parentElement?.scrollTo(0, 0))
  for (const name of ['Collect', 'Copy link', 'More']) await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  const card = page.getByTestId('finding-card')
  await expect(card.getByRole('heading', { level: 2 })).toBeInViewport({ ratio: 1 })
  await expect(card.getByRole('region', { name: 'Do this now' }).getByRole('heading')).toBeInViewport({ ratio: 1 })
})

test('a dark page and its graph are printed in light colours', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, 'flame', 'flame-graph')
  // The frame that the graph opens on is outlined, in one blue on dark and in another one on paper.
  const outlined = (blue: readonly [number, number, number]) =>
    page.evaluate(([red, green, value]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-testid=flame-graph] canvas')
      const { width = 1, height = 1 } = canvas ?? {}
      const { data = new Uint8ClampedArray() } = canvas?.getContext('2d')?.getImageData(0, 0, width, height) ?? {}
      return data.some((one, at) => at % 4 === 0 && one === red && data[at + 1] === green && data[at + 2] === value)
    }, blue)
  await expect.poll(() => outlined([0x8f, 0xb4, 0xff])).toBe(true)
  expect(await outlined([0x0b, 0x3c, 0xc1])).toBe(false)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await expect.poll(() => outlined([0x0b, 0x3c, 0xc1])).toBe(true)
  const paper = await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--panel').trim())
  expect(paper).toMatch(/^#fff(fff)?$/)
})

test('with reduced motion a zoom is not animated', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, 'flame', 'flame-graph')
  const graph = page.getByTestId('flame-graph')
  await graph.focus()
  const opened = await graph.getAttribute('data-zoom-node')
  const seen = page.evaluate(async (before) => {
    const host = document.querySelector<HTMLElement>('[data-testid=flame-graph]')
    const canvas = host?.querySelector('canvas')
    const images: string[] = []
    let after = 0
    for (let frame = 0; after < 30 && frame < 600; frame++) {
      await new Promise(requestAnimationFrame)
      if (host?.dataset.zoomNode !== before) after += 1
      const picture = canvas?.toDataURL() ?? ''
      if (picture !== images.at(-1)) images.push(picture)
    }
    return { pictures: images.length, hasZoomed: after > 0 }
  }, opened)
  // The graph opens zoomed; this goes out by a frame.
  await page.keyboard.press('Backspace')
  expect(await seen).toEqual({ pictures: expect.any(Number), hasZoomed: true })
  expect((await seen).pictures).toBeLessThanOrEqual(3)
})
