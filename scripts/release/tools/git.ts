import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Before the settings of a repository: git runs no program of it, and changes no line of a file. */
const settings = [
  'core.attributesFile=/dev/null',
  'core.autocrlf=false',
  'core.eol=lf',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'advice.detachedHead=false',
].flatMap((one) => ['-c', one]);

const env = {
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: join(import.meta.dirname, 'gitconfig'),
  GIT_NO_REPLACE_OBJECTS: '1',
};

/**
 * Runs git in a folder, without settings and variables of the machine and of the user. They could give it other files,
 * another index or other objects, and name programs that it runs.
 *
 * @returns its output, without space around it
 * @throws ToolError
 */
export function runGit(cwd: string, ...args: readonly string[]): string {
  return runTool('git', [...settings, ...args], { cwd, env })
    .toString()
    .trim();
}
