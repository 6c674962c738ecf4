/** Instruction that loads the first eight letters of `--experimental-…` to compare an argument with them, on x86-64. */
const comparison = /\x48[\xb8-\xbf]--experi/g;
const key = 'nodeOptions\0';

/**
 * Makes a runtime blind for configuration files that arguments name: it looks for them in all arguments, after `--` too, and
 * such a file can load code. A NUL, which no argument and no JSON text contains, becomes part of each compared text. On
 * processors other than x86-64, the runtime still reads the file, but refuses its options.
 *
 * @param runtime is changed in place
 * @throws Error when the runtime is built otherwise
 */
export function endConfigFiles(runtime: Buffer, path: string): void {
  const at = runtime.indexOf(key);
  if (at < 0) throw new Error(`${path} has no name of the options in a configuration file`);
  runtime[at + key.length - 2] = 0;
  for (const { index } of runtime.toString('latin1').matchAll(comparison)) runtime[index + 9] = 0;
}
