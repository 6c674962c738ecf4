/** Least characters of a new password; the configuration may ask for more. */
export const leastPasswordLength = 12;
