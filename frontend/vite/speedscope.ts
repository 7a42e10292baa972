import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, normalize } from 'node:path'
import type { Plugin } from 'vite'

const release = join(dirname(createRequire(import.meta.url).resolve('speedscope/package.json')), 'dist/release')
const shim = new URL('./speedscope-shim.js', import.meta.url)
const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}
/** Release files that are not needed when the profile comes by message. */
const unused = /\.(txt|ico)$|file-format-schema|^favicon.*\.js$/

/** speedscope's `index.html` with the shim loaded first, without favicons. */
async function page(): Promise<string> {
  const html = await readFile(join(release, 'index.html'), 'utf8')
  return html
    .replace(/^.*rel="icon".*\n/gm, '')
    .replace('<html>', '<html lang="en">')
    .replace('<script src=', '<script src="speedscope-shim.js"></script>\n    <script src=')
}

/** The style sheet with inlined fonts: a frame with an opaque origin cannot fetch them. */
async function styles(name: string): Promise<string> {
  let css = await readFile(join(release, name), 'utf8')
  for (const [reference, font] of css.matchAll(/url\("?(?:\.\/)?([^")]+\.woff2)"?\)/g)) {
    if (!font) continue
    const bytes = await readFile(join(release, font))
    css = css.replace(reference, `url(data:font/woff2;base64,${bytes.toString('base64')})`)
  }
  return css
}

async function content(name: string): Promise<string | Uint8Array> {
  if (name === 'index.html') return page()
  if (name === 'speedscope-shim.js') return readFile(shim)
  if (name.endsWith('.css')) return styles(name)
  return readFile(join(release, name))
}

/** Serve and build speedscope from its npm package under `/speedscope/`. */
export function speedscope(): Plugin {
  let target = ''
  return {
    name: 'casebook-speedscope',
    configResolved(config) {
      // Development and test servers call closeBundle too; they have no output folder.
      if (config.command === 'build') target = join(config.root, config.build.outDir, 'speedscope')
    },
    configureServer(server) {
      server.middlewares.use('/speedscope', (request, response, next) => {
        const name = normalize((request.url ?? '/').split(/[?#]/)[0] ?? '/').slice(1) || 'index.html'
        content(name).then(
          (body) => {
            response.setHeader('Content-Type', mediaTypes[extname(name)] ?? 'application/octet-stream')
            response.end(body)
          },
          () => next(),
        )
      })
    },
    async closeBundle() {
      if (!target) return
      await rm(target, { recursive: true, force: true })
      await cp(release, target, { recursive: true, filter: (source) => source === release || !unused.test(source.slice(release.length + 1)) })
      await cp(new URL(shim), join(target, 'speedscope-shim.js'))
      await cp(join(release, '../../LICENSE'), join(target, 'LICENSE'))
      for (const name of await readdir(target)) {
        if (name.endsWith('.css') || name === 'index.html') await writeFile(join(target, name), await content(name))
      }
    },
  }
}
