/** A name for files: characters that a filesystem or a shell treats in its own way are replaced. */
export const toPlainName = (text: string): string => text.replace(/[^a-zA-Z0-9._-]/g, '_').slice(0, 64);
