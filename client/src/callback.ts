/** Calls a function of the caller. Its errors are logged: they do not concern the library. */
export function callBack<Args extends unknown[]>(
  name: string,
  callback: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  const call = async () => callback?.(...args)
  call().catch((error: unknown) => console.error(`Pet Store: ${name} failed:`, error))
}
