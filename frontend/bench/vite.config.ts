import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The measuring page, made of the product's own modules. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { target: 'es2023', outDir: '../../var/bench/page', emptyOutDir: true },
})
