/** A thread for thread.test.ts. */
export function run({ gate }: { gate: Int32Array<SharedArrayBuffer> }) {
  return {
    double: (count: bigint) => count * 2n,
    fail(message: string): never {
      throw Object.assign(new Error(message), { errcode: 11 })
    },
    /** Gives no result, and answers nothing, until the gate is opened. */
    wait: () => Atomics.wait(gate, 0, 0),
    crash(): void {
      setImmediate(() => {
        throw new Error('a bug')
      })
    },
  }
}
