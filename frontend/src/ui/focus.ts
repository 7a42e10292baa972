/** A `ref` of a field that has the focus once it is shown: a click just made it. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
