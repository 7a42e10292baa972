import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

/** The built application: `npm run build` writes it before the tests. */
const DIST = join(import.meta.dirname, '../dist')
const ASSETS = readdirSync(join(DIST, 'assets'))
const read = (name: string) => readFileSync(join(DIST, 'assets', name))

/** Names of files in a text that refers to them, such as a page or the imports of a script. */
const named = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name ?? '').filter((name) => ASSETS.includes(name))
const isOf = (chunk: string, extension: string) => (name: string) => name.startsWith(`${chunk}-`) && name.endsWith(extension)

/** Files loaded for a page: those of every page, the chunk of its route, what they import, their styles and the fonts. */
function filesOf(chunk: string | null): string[] {
  const first = named(readFileSync(join(DIST, 'index.html'), 'utf8'), /assets\/([\w.-]+)/g)
  const waiting = [...first, ...ASSETS.filter((name) => name.endsWith('.woff2')), ...ASSETS.filter((name) => chunk !== null && isOf(chunk, '.js')(name))]
  const files = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (files.has(name)) continue
    files.add(name)
    if (!name.endsWith('.js')) continue
    waiting.push(...named(read(name).toString(), /(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+)["']/g))
    waiting.push(...ASSETS.filter(isOf(name.replace(/-[\w-]{8}\.js$/, ''), '.css')))
  }
  return [...files]
}

const sizeOf = (name: string) => (name.endsWith('.woff2') ? read(name) : gzipSync(read(name))).length
const kilobytes = (files: readonly string[]) => files.reduce((sum, name) => sum + sizeOf(name), 0) / 1_000

it.each([
  ['the list of cases', null, 250],
  ['the library', 'library', 250],
  ['a case', 'case', 450],
])('the first load of %s stays within its budget', (_page, chunk, budget) => {
  const files = filesOf(chunk)
  // The fonts, the application and its styles, and the chunk of the route.
  expect(files.length).toBeGreaterThanOrEqual(chunk ? 6 : 5)
  const total = kilobytes(files)
  expect(total > budget ? [total, ...files.map((name) => `${name}: ${sizeOf(name)} bytes`)] : []).toEqual([])
})
