import { defineConfig } from '@playwright/test'
import { REPORT, RESULTS, SESSION, SHARD } from './results'

const [current = 1, total = 1] = SHARD.split('/').map(Number)

/**
 * Runs against a live instance: CASEBOOK_E2E_URL, and CASEBOOK_E2E_TOKEN, a one-time sign-in token.
 * CASEBOOK_CHROMIUM names another browser than Debian's, CASEBOOK_E2E_SHARD the part to run, such as 1/2.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  timeout: 180_000,
  expect: { timeout: 20_000 },
  workers: 1,
  shard: { current, total },
  outputDir: RESULTS,
  forbidOnly: true,
  // One retry, since a busy machine may cause timeouts; Playwright lists such tests as flaky.
  retries: 1,
  reporter: [['list'], ['junit', { outputFile: REPORT }]],
  globalSetup: './sign-in.ts',
  use: {
    baseURL: process.env.CASEBOOK_E2E_URL ?? 'http://127.0.0.1:8765',
    storageState: SESSION,
    viewport: { width: 1440, height: 900 },
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    },
  },
})
