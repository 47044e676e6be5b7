/** Calls a function of the caller. Its errors are logged: they do not concern the library. */
export function callBack<Args extends unknown[]>(
  name: string,
  callback: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  new Promise((resolve) => resolve(callback?.(...args))).catch((error: unknown) =>
    console.error(`Pet Store: ${name} failed:`, error),
  )
}
