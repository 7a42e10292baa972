import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { apiReference } from './vite/apiReference.ts'
import { eagerCompile } from './vite/eagerCompile.ts'
import { speedscope } from './vite/speedscope.ts'

const backend = process.env.CASEBOOK_DEV_BACKEND ?? 'http://127.0.0.1:8765'

export default defineConfig({
  plugins: [react(), eagerCompile(), speedscope(), apiReference()],
  // The server replaces the placeholder with a fresh nonce per page; the CSP blocks scripts without it.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // The chunks of pages of the documentation would have the names of those of the application: `library`.
    rolldownOptions: { output: { chunkFileNames: ({ facadeModuleId }) => `assets/${/[/]docs[/][^/]*$/.test((facadeModuleId ?? '').split('?')[0] ?? '') ? 'help-' : ''}[name]-[hash].js` } },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': { target: backend } } },
  test: {
    // A bound for what hangs, not for what a busy machine takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A document costs a second of CPU, and only components need one, which all of them share: src/testing.ts empties it.
    projects: [
      { extends: true, test: { name: 'modules', environment: 'node', isolate: false, include: ['src/**/*.test.ts'] } },
      { extends: true, test: { name: 'components', environment: 'jsdom', isolate: false, include: ['src/**/*.test.tsx'], setupFiles: ['src/testing.ts'] } },
    ],
  },
})
