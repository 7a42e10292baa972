import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CodeSpans } from './CodeSpans'

it('shows commands of a sentence as code, without backticks', () => {
  const { container } = render(<CodeSpans text="Unknown; this decides: `uname -a; cat /etc/os-release`." />)
  expect(container.innerHTML).toBe('Unknown; this decides: <code>uname -a; cat /etc/os-release</code>.')
})

it('leaves a sentence without a command as it is', () => {
  expect(render(<CodeSpans text="Affected." />).container.innerHTML).toBe('Affected.')
})
