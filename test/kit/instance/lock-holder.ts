import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const lockModule = join(import.meta.dirname, '..', '..', '..', 'src', 'disk', 'lock.ts');

/** Another process that holds a lock until it is killed. */
export async function startLockHolder(
  path: string,
  mode: 'exclusive' | 'shared',
  options: object = { holder: 'another' },
): Promise<{ kill(): Promise<void> }> {
  const program = `
    const { acquireLock } = await import(${JSON.stringify(lockModule)});
    const lock = await acquireLock(${JSON.stringify(path)}, '${mode}', ${JSON.stringify(options)});
    process.stdout.write('held');
    setInterval(() => lock, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (String(first) !== 'held') throw new Error(`the other process ended: ${first}`);
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
