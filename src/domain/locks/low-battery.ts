/** A battery below this charge, in percent, is low. */
export const LOW_BATTERY = 20;
