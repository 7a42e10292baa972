import { cp, mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const release = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const pageFolder = fileURLToPath(new URL('./api-reference', import.meta.url))
/** Package files that our page loads, and the licence. */
const copiedFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']

/** Build Swagger UI from its npm package under `/api-reference/`. */
export function apiReference(): Plugin {
  let target = ''
  return {
    name: 'casebook-api-reference',
    configResolved(config) {
      if (config.command === 'build') target = join(config.root, config.build.outDir, 'api-reference')
    },
    async closeBundle() {
      if (!target) return
      await rm(target, { recursive: true, force: true })
      await mkdir(target)
      await cp(pageFolder, target, { recursive: true })
      for (const name of copiedFiles) await cp(join(release, name), join(target, name))
    },
  }
}
