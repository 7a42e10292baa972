import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Markdown } from './Markdown'

it('executes no script and loads no image', () => {
  const { container } = render(<Markdown text={'<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[go](javascript:alert(1)) ![secret](https://elsewhere/track.png)'} />)
  expect(container.querySelector('script, img, [onerror]')).toBeNull()
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).not.toContain('javascript:alert(1)')
  expect(screen.getByText('secret').getAttribute('href')).toBe('https://elsewhere/track.png')
})

it('keeps code blocks verbatim and shifts headings', () => {
  const { container } = render(<Markdown text={'# At 03:12\n\n```\nlimit  8G\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |'} />)
  expect(container.querySelector('h1')).toBeNull()
  expect(screen.getByText('At 03:12').tagName).toBe('H2')
  expect(container.querySelector('pre')?.textContent).toBe('limit  8G\n')
  expect(container.querySelectorAll('td')).toHaveLength(2)
})

it('starts headings of a body at the second level', () => {
  render(<Markdown isBody text={'## Where\n\n### Which'} />)
  expect([screen.getByText('Where').tagName, screen.getByText('Which').tagName]).toEqual(['H2', 'H3'])
})

it('renders diagrams only with a diagram renderer', () => {
  const text = '```mermaid\ngraph LR\n```'
  expect(render(<Markdown text={text} />).container.querySelector('pre')).toBeTruthy()
  render(<Markdown text={text} diagramOf={(source) => <p>drawn: {source.trim()}</p>} />)
  expect(screen.getByText('drawn: graph LR')).toBeTruthy()
})
