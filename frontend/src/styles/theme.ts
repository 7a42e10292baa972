import { createTheme, type MantineColorsTuple } from '@mantine/core'

const petrol: MantineColorsTuple = ['#eaf5f6', '#d3e8eb', '#a6d2d8', '#76bac4', '#4fa5b2', '#3797a6', '#23818f', '#14606f', '#1a5561', '#0c3f49']

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 8 },
  colors: { petrol },
  fontFamily: "'Inter', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', ui-monospace, monospace",
  defaultRadius: 5,
  cursorType: 'pointer',
  respectReducedMotion: true,
})
