import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../instance/eventually.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import { takeFreePort } from '../web/follow-page.ts';
import { growthFile, rulesFile } from './alerts.ts';
import { trackChild } from './svc.ts';

/** A Prometheus server of its own, which scrapes every three seconds and evaluates the delivered rules. */
export interface Prometheus extends AsyncDisposable {
  /** The `data` of an answer of its API. */
  api(path: string, parameters?: Readonly<Record<string, string>>): Promise<any>;
}

/** @param targets `host:port` of instances without TLS */
export async function startPrometheus(path: string, targets: readonly string[]): Promise<Prometheus> {
  const folder = await openTempFolder('svc-prometheus-');
  const config = join(folder.path, 'prometheus.yaml');
  const document = {
    global: { scrape_interval: '3s', scrape_timeout: '3s', evaluation_interval: '3s' },
    rule_files: [rulesFile, growthFile],
    scrape_configs: [{ job_name: 'svc', static_configs: [{ targets }] }],
  };
  await writeFile(config, stringify(document));
  const address = `127.0.0.1:${await takeFreePort()}`;
  const child = trackChild(
    spawn(
      path,
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder.path, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
    ),
  );
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const api: Prometheus['api'] = async (route, parameters = {}) => {
    const url = `http://${address}/api/v1/${route}?${new URLSearchParams(parameters)}`;
    const answer = (await (await fetch(url)).json()) as { status: string; error?: string; data: unknown };
    if (answer.status !== 'success')
      throw new Error(`${route} ${JSON.stringify(parameters)}: ${answer.error}`);
    return answer.data;
  };
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await folder[Symbol.asyncDispose]();
  };
  try {
    await eventually(
      'the Prometheus server',
      async () => {
        if (child.exitCode !== null) throw new Error(log);
        return fetch(`http://${address}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      90,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { api, [Symbol.asyncDispose]: close };
}
