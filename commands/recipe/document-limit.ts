/** Maximum size of a recipe document in bytes, before it is decoded. */
export const documentLimit = 4 << 20;
