/** The longest time of a request, in milliseconds, whatever it waits for (decisions §2). */
export const LONGEST_REQUEST = 10_000;
