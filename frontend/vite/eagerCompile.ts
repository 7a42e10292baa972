import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Chunks of the first view, whose functions are nearly all called while it is loaded. */
const eager = /^(index|jsx-runtime|Notice|case|paint)$/

/** Tell V8 to compile these chunks while they arrive, on a thread of its own, instead of function by function on the page's. */
export function eagerCompile(): Plugin {
  return {
    name: 'casebook-eager-compile',
    apply: 'build',
    // Of the written file, since Vite puts its list of chunks first, and the mark has to be the first line.
    async writeBundle({ dir }, bundle) {
      for (const file of Object.values(bundle)) {
        if (dir && file.type === 'chunk' && eager.test(file.name)) await writeFile(join(dir, file.fileName), `//# allFunctionsCalledOnLoad\n${file.code}`)
      }
    },
  }
}
