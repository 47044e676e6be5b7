/** The address of the page or worker; undefined outside of browsers. */
export function pageAddress(): string | undefined {
  return (globalThis as { location?: { href: string } }).location?.href
}
