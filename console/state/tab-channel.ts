/** A channel between the tabs of this page. Undefined if the browser blocks it with all storage: each tab is then alone. */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
