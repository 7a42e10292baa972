import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(process.cwd(), 'src')

type Import = { from: string; to: string; isPackage: boolean }

/** The module of a file: `api`, `profile`, `ui`, `styles`, `features/<x>`, or `` for files directly in `src`. */
function moduleOf(file: string): string {
  const [first, second] = file.split(sep)
  if (first === 'features') return `features/${second}`
  return file.includes(sep) ? (first ?? '') : ''
}

function importsOf(file: string, source: string): Import[] {
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '')
  return specifiers.map((specifier) =>
    specifier.startsWith('.')
      ? { from: file, to: relative(SRC, join(SRC, dirname(file), specifier)), isPackage: false }
      : { from: file, to: specifier, isPackage: true },
  )
}

/** The rule that an import violates; "" if none. */
function violationOf({ from, to, isPackage }: Import): string {
  const [importer, imported] = [moduleOf(from), isPackage ? '' : moduleOf(`${to}${sep}index`)]
  const isTest = /\.test\.tsx?$/.test(from)
  if (importer === 'profile' && (isPackage ? !isTest : imported !== 'profile')) return 'profile/ imports nothing outside itself'
  if (isPackage || importer === imported || importer === '') return ''
  if (importer === 'ui' && (imported === 'api' || imported.startsWith('features'))) return 'ui/ imports neither api nor features'
  if (importer === 'api' && (imported === 'ui' || imported.startsWith('features'))) return 'api/ imports neither ui nor features'
  const isPublic = to === imported.split('/').join(sep) || imported === 'styles'
  return isPublic ? '' : 'modules import each other only through index.ts'
}

function sources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.gen.ts'))
}

const importFrom = (from: string, specifier: string) => importsOf(from.split('/').join(sep), `import x from '${specifier}'`)[0] as Import

describe('imports', () => {
  it('follow the module rules', () => {
    const violations = sources().flatMap((file) =>
      importsOf(file, readFileSync(join(SRC, file), 'utf8'))
        .map((each) => ({ each, violation: violationOf(each) }))
        .filter(({ violation }) => violation)
        .map(({ each, violation }) => `${each.from} imports ${each.to}: ${violation}`),
    )
    expect(violations).toEqual([])
  })

  it.each([
    ['profile/layout.ts', '../api', 'profile/ imports nothing outside itself'],
    ['profile/layout.ts', 'd3-scale', 'profile/ imports nothing outside itself'],
    ['ui/Button.tsx', '../api', 'ui/ imports neither api nor features'],
    ['ui/Button.tsx', '../features/cases', 'ui/ imports neither api nor features'],
    ['api/cases.ts', '../ui', 'api/ imports neither ui nor features'],
    ['features/case/CasePage.tsx', '../findings/labels', 'modules import each other only through index.ts'],
    ['features/case/CasePage.tsx', '../../api/client', 'modules import each other only through index.ts'],
  ])('report a violation: %s imports %s', (from, specifier, violation) => {
    expect(violationOf(importFrom(from, specifier))).toBe(violation)
  })

  it('come from files of at most 250 lines', () => {
    const long = sources().filter((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length > 250 && !file.endsWith('.test.ts'))
    expect(long).toEqual([])
  })
})
