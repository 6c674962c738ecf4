import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Task } from '../../src/contract/task.ts';
import { writeRetriever } from '../kit/content/retriever.ts';
import { type Corpus, unsignedCookbook } from './corpus.ts';
import { type SvcServer, startSvcServer } from './servers/svc-server.ts';

export const zone = 'zone-b';

/** A mirror of the corpus, its store still empty. @param options `trusted: false`: of the recipes that nobody signed */
export async function startMirror(
  folder: string,
  corpus: Pick<Corpus, 'host' | 'recipes' | 'signer'>,
  options: { readonly trusted?: boolean; readonly config?: Readonly<Record<string, unknown>> } = {},
): Promise<SvcServer> {
  const { trusted = true, config = {} } = options;
  await mkdir(folder, { recursive: true });
  const retriever = join(folder, 'retriever.yaml');
  await writeRetriever(
    retriever,
    {
      cookbook: `${corpus.host}/${trusted ? 'cookbook' : unsignedCookbook}`,
      recipes: corpus.recipes.map(({ name, version }) => ({ name, version })),
    },
    zone,
  );
  return startSvcServer(folder, {
    config: {
      mode: 'mirror',
      retriever: { source: retriever },
      registries: { insecure: [corpus.host] },
      trust: trusted
        ? { roots: [{ name: 'bench', key: corpus.signer.publicKeyPem }] }
        : { scopes: [{ name: 'unsigned', repositories: ['**'], allowUnsigned: true }] },
      ...config,
    },
  });
}

/**
 * Synchronizes once.
 *
 * @param least milliseconds between two questions for the task
 * @returns seconds from the request to the end of the task, and of the task alone
 */
export async function synchronize(
  server: SvcServer,
  least = 5,
): Promise<{ readonly seconds: number; readonly task: number; readonly bytes: number }> {
  const { api } = server.instance;
  const began = performance.now();
  const { status, body } = await api('POST', '/sync', {});
  if (status !== 201) throw new Error(`sync: ${status} ${JSON.stringify(body)}`);
  let task = body.task as Task;
  while (task.status === 'pending' || task.status === 'running') {
    // answering takes time from the synchronization itself
    await pause(Math.max(least, (performance.now() - began) / 100));
    ({
      body: { task },
    } = await api('GET', `/tasks/${task.id}`));
  }
  const seconds = (performance.now() - began) / 1000;
  if (task.status !== 'done')
    throw new Error(`the synchronization failed: ${JSON.stringify(task.error ?? task.items)}`);
  return {
    seconds,
    task: (Date.parse(task.finishedAt!) - Date.parse(task.startedAt!)) / 1000,
    bytes: task.progress.bytesDone,
  };
}
