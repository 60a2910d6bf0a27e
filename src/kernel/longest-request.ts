/** Milliseconds after which every request is answered (decisions §2). */
export const LONGEST_REQUEST_MS = 10_000;
