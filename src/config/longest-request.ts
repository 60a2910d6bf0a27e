/** What decisions §2 allows a request, in milliseconds, whatever it waits for. */
export const LONGEST_REQUEST = 10_000;
