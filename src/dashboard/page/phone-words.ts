/** Phone numbers as forms and the API of operators take them. */
export const PHONE_LIKE = 'Like (312) 555-0100, or +44 20 7946 0000.';
