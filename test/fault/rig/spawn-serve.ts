import { spawn } from 'node:child_process';
import { svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';

/** Starts an instance, asks it to stop as soon as it listens, and waits for its end of any kind. */
export async function spawnServe(configPath: string, env: Readonly<Record<string, string>>): Promise<string> {
  const [command, ...first] = svcCommand();
  const child = trackChild(
    spawn(command, [...first, 'serve', '--config', configPath], {
      env: svcEnvironment(env),
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    const wasListening = log.includes('"msg":"listening"');
    log += text;
    if (!wasListening && log.includes('"msg":"listening"')) child.kill('SIGTERM');
  });
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return log;
}
