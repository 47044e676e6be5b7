/** The version of this library. */
export const version = '1.0.0'
