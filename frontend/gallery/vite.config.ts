import { defineConfig } from 'vite'
import { preact } from '../vite/preact.ts'

/** The gallery of states; never part of the application that is served. */
export default defineConfig({ root: import.meta.dirname, cacheDir: '../../var/gallery', resolve: { alias: preact }, server: { host: '127.0.0.1', fs: { allow: ['../..'] } } })
