import { argv, stdout } from 'node:process';
import { deleteTag } from '../../../src/store/delete-content.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { writeRest } from '../../../src/store/rest/write-rest.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildIndex, pushArtifact, seededBytes } from '../content/content.ts';
import { openStoreAt } from './open-store-at.ts';

/**
 * A process of its own that writes into a store and prints on stdout each promise that it got, one a line. The lines are
 * `pushed <repository> <seed>`, `deleted <repository>`, `uploaded <digest>`, `rested`, `failed <code>`.
 *
 * node store-writer.ts churn <root> <state> <round>    until it is killed node store-writer.ts blob <root> <state>
 * <bytes>     one upload
 */
const [, , command, root, stateRoot, argument] = argv as [string, string, string, string, string, string];
const say = (line: string): void => {
  stdout.write(`${line}\n`);
};

const store = await openStoreAt({ root, stateRoot });
say('open');
try {
  if (command === 'churn') {
    for (let i = 0; ; i += 1) {
      const seed = `${argument}.${i}`;
      const name = `r/${seed}`;
      const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;
      await pushArtifact(
        openRepository(store, name, { owner }),
        buildIndex(seed, undefined, { layerSize: 300 }),
        'v1',
      );
      say(`pushed ${name} ${seed}`);
      const writer = await createBlobWriter(store);
      await writer.write(seededBytes(seed, 50_000));
      const { digest } = await writer.commit();
      await recordUpload(store, 'uploads', digest, 'alice');
      say(`uploaded ${digest}`);
      if (i % 3 === 2) {
        say(`deleting r/${argument}.${i - 2}`);
        await deleteTag(store, `r/${argument}.${i - 2}`, 'v1');
        say(`deleted r/${argument}.${i - 2}`);
      }
      if (i % 4 === 3) {
        await recordSync(store, { zone: 'z', runId: seed, resolvedAt: new Date().toISOString() }, []);
        await writeRest(store);
        say('rested');
      }
    }
  }
  const writer = await createBlobWriter(store);
  try {
    const bytes = seededBytes('blob', 1 << 20);
    for (let left = Number(argument); left > 0; left -= bytes.length) await writer.write(bytes);
    say(`uploaded ${(await writer.commit()).digest}`);
  } finally {
    await writer.abort();
  }
} catch (error) {
  say(`failed ${isSvcError(error) ? error.code : String(error)}`);
}
await store[Symbol.asyncDispose]();
say('closed');
