/** Milliseconds since 1970. Injected, so that tests can live in 2030. */
export type Clock = () => number
