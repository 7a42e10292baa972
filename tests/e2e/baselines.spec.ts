import { createHash } from 'node:crypto'
import { type APIRequestContext, expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

const CONDITIONS = { host: 'ci-3', kernel: '6.18.44', cpu_model: 'Xeon', cpus: 8, frequency_hz: 997, started_at: null, duration_seconds: 2.4, losses: [] }

/** A point of one run in which `parse` takes `parse` ms of the CPU time per request, and all else 100 ms. */
function point(project: string, day: number, parse: number): Record<string, unknown> {
  const [read, weight] = [(100 + (day % 3)) * 1e6, (100 + (day % 3) + parse) * 1e6]
  return {
    project,
    benchmark: 'load',
    machine: '8 x Xeon',
    kernel: '6.18.44',
    commit: `c${day}0a1b2c`,
    is_work_known: true,
    comms: [],
    measured_at: `2026-11-${String(day).padStart(2, '0')}T12:00:00Z`,
    runs: [
      {
        sha256: [createHash('sha256').update(`${project} ${day}`).digest('hex')],
        work: 1,
        costs: { event: 'cpu-clock', unit: 'ns', weight, samples: 2400, functions: { 'user.main': [0, weight, 3], 'user.parse_rows': [parse * 1e6, parse * 1e6, 2] }, counters: {}, conditions: CONDITIONS },
      },
    ],
    stacks: { event: 'cpu-clock', unit: 'ns', samples: 2400, names: ['main', 'read_rows', 'parse_rows'], kinds: ['user', 'user', 'user'], depth: [0, 1, 1], frame: [0, 1, 2], self: [0, read, parse * 1e6] },
  }
}

async function add(request: APIRequestContext, project: string, day: number, parse: number): Promise<string> {
  const answer = await request.post('/api/v1/baselines', { data: point(project, day, parse) })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { baseline_id: string }).baseline_id
}

test('a trend shows where a build became slower, and the difference of any two points', async ({ page, request }) => {
  let baseline = ''
  for (let day = 1; day <= 12; day++) baseline = await add(request, 'e2e/proxy', day, day < 7 ? 40 : 80)
  await page.goto('/baselines')
  await page.getByRole('link', { name: 'e2e/proxy' }).click()
  await expect(page).toHaveURL(new RegExp(`/baselines/${baseline}`))

  // The change point is a mark with its commit, and chosen for the comparison.
  await expect(page.getByTestId('trend-chart')).toHaveAccessibleName(/12 points, .*; \+28 % at c70a1b2c$/)
  await expect(page.getByTestId('points').getByRole('row', { name: /c70a1b2c/ })).toContainText('+28 %')
  await expect(page.getByRole('radio', { name: 'A: c60a1b2c' })).toBeChecked()
  await expect(page.getByTestId('diff-graph')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Functions with the largest change of self share' })).toContainText('+15.6 % parse_rows')
  expect(await violationsInBothColours(page)).toEqual([])

  // Any two points, by keyboard; the address holds the choice.
  await page.getByRole('radio', { name: 'B: c70a1b2c' }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'B: c80a1b2c' })).toBeChecked()
  await page.getByLabel('measure').selectOption('user.parse_rows')
  await expect(page.getByTestId('trend-chart')).toHaveAccessibleName(/^user\.parse_rows .*\+100 %/)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'B: c80a1b2c' })).toBeChecked()
  await expect(page.getByTestId('trend-chart')).toHaveAccessibleName(/^user\.parse_rows/)
})

test('a baseline that is not there says so, and a single point has no difference', async ({ page, request }) => {
  await page.goto('/baselines/01900000-0000-7000-8000-00000000dead')
  await expect(page.getByRole('alert')).toContainText('Baseline not found.')
  const baseline = await add(request, 'e2e/single', 1, 40)
  await page.goto(`/baselines/${baseline}`)
  await expect(page.getByText('A difference needs two points.')).toBeVisible()
})
