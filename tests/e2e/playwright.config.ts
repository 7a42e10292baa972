import { defineConfig } from '@playwright/test'
import { REPORT, RESULTS, SESSION, SHARD } from './results'

const [current = 1, total = 1] = SHARD.split('/').map(Number)

/**
 * Runs against a live instance: CASEBOOK_E2E_URL, and CASEBOOK_E2E_TOKEN, a one-time sign-in token.
 * CASEBOOK_CHROMIUM names another browser than Debian's headless one, which takes half the CPU time of the whole
 * Chromium; CASEBOOK_E2E_SHARD is the part to run, such as 1/2.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // No measure of speed: a shared machine is now and then ten times slower. They end what hangs, and name it.
  timeout: 900_000,
  expect: { timeout: 90_000 },
  workers: 1,
  shard: { current, total },
  outputDir: RESULTS,
  forbidOnly: true,
  // A test that fails now and then shows a fault, of the product or of the test.
  retries: 0,
  reporter: [['list'], ['junit', { outputFile: REPORT }]],
  globalSetup: './sign-in.ts',
  use: {
    baseURL: process.env.CASEBOOK_E2E_URL ?? 'http://127.0.0.1:8765',
    storageState: SESSION,
    actionTimeout: 180_000,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    },
  },
})
