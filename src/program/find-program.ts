import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a program of the user: the first executable file of this name in the folders of `PATH`. */
export function findProgram(name: string, env: Environment): string | undefined {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    // a relative folder would depend on where the command is run
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // not here: the next folder is asked
    }
  }
  return undefined;
}
