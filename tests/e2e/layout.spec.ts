import { expect, type Page, test } from '@playwright/test'
import { judged } from './evidence'

const MOST_SHIFT = 0.05
const MOST_REQUESTS = 4
const ROUTES = [
  '/',
  '/cases/2',
  '/cases/2?tab=timeline',
  '/cases/2?tab=hosts',
  '/cases/2?tab=phases',
  '/cases/2?tab=handoff',
  '/library',
  '/library?q=memory',
  '/signatures/mm/memcg-limit-reclaim',
  '/case-problems',
  '/kernels',
  '/compare',
  '/baselines',
  '/settings/profile',
  '/settings/members',
]

/** Watches the requests of a page to the API, and the shifts of its layout. */
async function watch(page: Page): Promise<{ asked: string[]; settle: () => Promise<number> }> {
  const asked: string[] = []
  const open = new Set<unknown>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
    if (!pathname.endsWith('/events')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!entry.hadRecentInput) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))
  const settle = async () => {
    await expect(page.getByTestId('page-loading')).toHaveCount(0)
    for (let before = -1; before !== asked.length; ) {
      before = asked.length
      await expect.poll(() => open.size).toBe(0)
      await frames()
    }
    return page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0))
  }
  return { asked, settle }
}

/** What only an answer of the API can say: a verdict, a count, calm, or that there is nothing. */
const CLAIM = /\b(?:no|nothing|none|normal|calm|healthy|very likely|likely|is not|not affected|not decided|not looked at)\b|\b\d[\d,]* (?:\w+ )?(?:cases?|files?|findings?|hosts?|signatures?|results?|kernels?|problems?|members?|baselines?)\b/i
/** What pages say of themselves. */
const EXPLAINED = /Cases that no signature explains form a cluster|nothing is inferred for what it does not|At most 100,000 hosts/g
const FRAMES = 8

test('no page claims anything before the API has answered', async ({ page }) => {
  // Who is signed in is known; all else is asked and never answered. A route would switch the cache off.
  await page.addInitScript(() => {
    const send = window.fetch
    Object.assign(window, { unanswered: 0 })
    window.fetch = (asked, options) => {
      const { pathname } = new URL(asked instanceof Request ? asked.url : asked, location.href)
      if (!/^\/api\/v1\/(?!me$|session)/.test(pathname)) return send(asked, options)
      ;(window as unknown as { unanswered: number }).unanswered += 1
      return new Promise(() => undefined)
    }
  })
  for (const route of ROUTES) {
    await page.goto(route)
    await page.waitForFunction(() => (window as unknown as { unanswered: number }).unanswered > 0)
    const main = page.locator('main, #root').first()
    await expect(main).not.toBeEmpty()
    for (let frame = 0; frame < FRAMES; frame += 1) {
      const words = await main.evaluate((element: HTMLElement) => new Promise<string>((done) => requestAnimationFrame(() => done(element.innerText))))
      expect.soft(CLAIM.exec(words.replace(EXPLAINED, ''))?.[0] ?? '', `${route} says: ${words}`).toBe('')
    }
  }
})

test('no page moves while it loads, and the first view of a case is one request', async ({ page }) => {
  await page.goto('/cases/2')
  await judged(page)
  const { asked, settle } = await watch(page)
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size)
    for (const route of ROUTES) {
      await page.goto(route)
      const shift = await settle()
      await expect(page.getByRole('heading', { level: 1, name: 'This page failed' })).toHaveCount(0)
      if (route.startsWith('/cases/')) await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true')
      expect.soft(shift, `${route} at ${size.width} px`).toBeLessThanOrEqual(MOST_SHIFT)
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `overflow of ${route}`).toBe(0)
    }
  }
  await page.goto('/cases/2')
  await settle()
  const graph = await page.getByTestId('flame-graph').evaluate((element) => {
    let top = element.getBoundingClientRect().top
    for (let at = element.parentElement; at; at = at.parentElement) top += at.scrollTop
    return top
  })
  expect.soft(graph, 'the graph is within two screens of a phone').toBeLessThanOrEqual(2 * 844)
  asked.length = 0
  const paths = page.waitForResponse((response) => response.url().endsWith('/view')).then(() => asked.slice())
  await page.goto('/cases/2')
  expect((await paths).length).toBeLessThanOrEqual(MOST_REQUESTS)
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true')
})
