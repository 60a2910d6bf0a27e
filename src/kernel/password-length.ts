/** How long an operator's password may be, in characters (decisions §6). */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;
