import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Button } from './Button'

export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Button look="quiet" onClick={() => setColorScheme(other)} aria-label={`Use ${other} colours`}>
      {scheme === 'dark' ? 'Light' : 'Dark'}
    </Button>
  )
}
