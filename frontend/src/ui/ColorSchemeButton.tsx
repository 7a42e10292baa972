import { Button } from './Button'
import { chooseColorScheme, useColorScheme } from './colorScheme'

export function ColorSchemeButton() {
  const scheme = useColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Button look="quiet" onClick={() => chooseColorScheme(other)} aria-label={`Use ${other} colours`}>
      {scheme === 'dark' ? 'Light' : 'Dark'}
    </Button>
  )
}
