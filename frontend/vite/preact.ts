import type { Alias } from 'vite'

const names: [name: string, module: string][] = [
  ['react', 'preact/compat'],
  ['react-dom', 'preact/compat'],
  ['react-dom/client', 'preact/compat/client'],
  ['react-dom/test-utils', 'preact/test-utils'],
  ['react/jsx-runtime', 'preact/jsx-runtime'],
  ['react/jsx-dev-runtime', 'preact/jsx-runtime'],
  // Its modules; what Node finds by the name alone loads React.
  ['@testing-library/react', '@testing-library/react/dist/@testing-library/react.esm.js'],
]

/** Preact in the place of React, also for libraries: a third of React's script before the first element. */
export const preact: Alias[] = names.map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }))
