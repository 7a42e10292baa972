export { PaletteButton } from './PaletteButton'
