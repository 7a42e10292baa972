import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The gallery of states; never part of the application that is served. */
export default defineConfig({ root: import.meta.dirname, cacheDir: '../../var/gallery', plugins: [react()], server: { host: '127.0.0.1', fs: { allow: ['../..'] } } })
