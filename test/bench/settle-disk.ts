import { spawn } from 'node:child_process';

/** Has the kernel write its waiting pages, so that one run does not pay for another. */
export async function settleDisk(): Promise<void> {
  const child = spawn('sync', { stdio: 'ignore' });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
