import { defineConfig } from 'vite'
import { preact } from '../vite/preact.ts'

/** The measuring page, made of the product's own modules. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: preact },
  build: { target: 'es2023', outDir: '../../var/bench/page', emptyOutDir: true },
})
