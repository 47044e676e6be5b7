/** How long a first read waits for the stream. Its own file: tests of the page know it without the types of a browser. */
export const maxFeedWaitMs = 1_000
