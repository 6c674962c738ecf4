import { argv, stdout } from 'node:process';
import { Readable } from 'node:stream';
import { openAccounts } from '../../../src/account/accounts.ts';
import type { Digest } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import type { Owner } from '../../../src/contract/content.ts';
import { deleteRepository } from '../../../src/operation/delete-repository.ts';
import { adoptStore } from '../../../src/store/adoption/adopt-store.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import { deleteTag, releaseOwners } from '../../../src/store/delete-content.ts';
import { emptyStore } from '../../../src/store/empty-store.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { putTags } from '../../../src/store/put-tags.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { recordUpload } from '../../../src/store/record-upload.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { repairStore } from '../../../src/store/repair/repair-store.ts';
import { writeRest } from '../../../src/store/rest/write-rest.ts';
import { vouch } from '../../../src/store/vouch.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildImage, buildIndex, pushArtifact, seededBytes, toBlob } from '../../kit/content/content.ts';
import { growLedger } from '../../kit/instance/grow-ledger.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';

/**
 * A process of its own that changes a store or accounts, and prints on stdout each promise that it got, one a line.
 *
 *   node store-program.ts <command> <store root> <state root> <seed>
 *
 * Lines: `push <repository> <seed>`, `upload <digest>`, `stray <digest>`, `delete <repository>` (from here on it may be gone), `sync <run>`,
 * `collected`, `compacted`, `imported <seed>`, `deleted <seed>`, `reset`, `account <name> <role>`, `gone <name>`, `failed <code>`, `end`.
 */
const [, , command, root, stateRoot, seed] = argv as [string, string, string, string, string, string];
/** With the microsecond of the machine's monotonic clock at which it was promised. */
const say = (line: string): void => {
  stdout.write(`${line}\t${process.hrtime.bigint() / 1000n}\n`);
};
const owner: Owner = { provenance: 'recipe', recipe: 'app@1.0.0' };

const open = (now?: () => number): Promise<Store> =>
  openStoreAt({ root, stateRoot }, now === undefined ? {} : { now });

async function upload(store: Store, name: string, word = 'upload'): Promise<void> {
  const writer = await createBlobWriter(store);
  await writer.write(seededBytes(name, 5000));
  const { digest } = await writer.commit();
  await recordUpload(store, 'uploads', digest, 'alice');
  say(`${word} ${digest}`);
}

const commands: Record<string, () => Promise<void>> = {
  /** Everything that a store takes: an index, an upload, a delete, a recorded run, a rest. */
  async churn() {
    await using store = await open();
    for (const n of [1, 2]) {
      const name = `r/${seed}.${n}`;
      const image = buildIndex(`${seed}.${n}`, ['linux/amd64', 'linux/arm64'], { layerSize: 300 });
      await pushArtifact(openRepository(store, name, { owner }), image, 'v1');
      say(`push ${name} ${seed}.${n}`);
    }
    await upload(store, seed);
    say(`delete r/${seed}.1`);
    await deleteTag(store, `r/${seed}.1`, 'v1');
    await recordSync(store, { zone: 'z', runId: seed, resolvedAt: new Date().toISOString() }, []);
    say(`sync ${seed}`);
  },
  /** Two days later: content without a tag goes, records of uploads that ran out too. */
  async collect() {
    const later = Date.now() + 48 * 3_600_000;
    let skew = 0;
    await using store = await open(() => later + skew);
    skew = 2 * 3_600_000;
    await collectGarbage(store);
    say('collected');
  },
  /** Makes content that a collection removes: manifests and blobs without a tag, and uploads. */
  async litter() {
    await using store = await open();
    const image = buildIndex(`${seed} kept`, ['linux/amd64', 'linux/arm64'], { layerSize: 300 });
    await pushArtifact(openRepository(store, `kept/${seed}`, { owner }), image, 'v1');
    say(`push kept/${seed} ${seed} kept`);
    for (const n of [1, 2, 3]) {
      const stray = buildImage(`${seed} stray ${n}`, { ownLayers: 2, layerSize: 300 });
      const target = openRepository(store, `stray/${n}`, { owner });
      for (const { descriptor, bytes } of stray.blobs)
        await target.pushBlob(descriptor, Readable.from([bytes]));
      if (n > 1) await target.pushManifest(stray.manifest.descriptor.digest, stray.manifest);
      await upload(store, `${seed} ${n}`, 'stray');
    }
  },
  /** Enough records that the index is saved at the end. */
  async save() {
    await using store = await open();
    await growLedger(store, seed, 130);
  },
  /** Enough dead records that the next rest writes a new generation of both ledgers. */
  async compact() {
    await using store = await open();
    const image = buildImage(`${seed} base`, { layerSize: 300 });
    await pushArtifact(openRepository(store, `base/${seed}`, { owner }), image, 'v1');
    say(`push base/${seed} ${seed} base`);
    const { digest } = image.manifest.descriptor;
    const tags = Array.from({ length: 2200 }, (_, n) => ({
      repository: `base/${seed}`,
      tag: `t${n}`,
      digest,
      kind: 'ContainerImage' as const,
    }));
    const { content } = store.ledgers;
    // the tags of a round that was killed between these two live on, and it takes more dead ones to outweigh them
    for (let again = 0; store.ledgers.content === content; again += 1) {
      if (again === 10) throw new Error('nothing was compacted');
      await putTags(
        store,
        tags.map((tag) => ({ ...tag, owner })),
      );
      await releaseOwners(
        store,
        tags.map(({ repository, tag }) => ({ repository, tag, owner })),
      );
      if (again === 0)
        await recordSync(store, { zone: 'z', runId: seed, resolvedAt: new Date().toISOString() }, []);
      if (again === 0) say(`sync ${seed}`);
      await writeRest(store);
    }
    say('compacted');
  },
  /** A life from the first write on: pushes, uploads, deletes, records, a compaction and its ends. */
  async life() {
    await commands.churn!();
    await commands.litter!();
    await commands.compact!();
    await commands.collect!();
    await commands.churnAgain!();
  },
  async churnAgain() {
    await using store = await open();
    const image = buildImage(`${seed} again`, { ownLayers: 2, layerSize: 300 });
    const target = openRepository(store, `again/${seed}`, { owner });
    // at once, as clients do
    await Promise.all(
      image.blobs.map(({ descriptor, bytes }) => target.pushBlob(descriptor, Readable.from([bytes]))),
    );
    await target.pushManifest('v1', image.manifest);
    say(`push again/${seed} ${seed} again`);
    await writeRest(store);
  },
  /** Imports with a layer that a neighbour shares, and then deletes one repository of them. */
  async deleteRepository() {
    await using store = await open();
    const imports: Owner = { provenance: 'import' };
    const layers = [toBlob(seededBytes(`${seed} base`, 300))];
    const put = async (name: string, word: string) => {
      const image = buildImage(`${seed} ${word}`, { layers, layerSize: 300 });
      await pushArtifact(openRepository(store, name, { owner: imports }), image, word);
    };
    await put(`r/${seed}`, 'one');
    await put(`r/${seed}`, 'two');
    await put(`r/${seed}/below`, 'v1');
    say(`imported ${seed}`);
    await deleteRepository(store, `r/${seed}`);
    say(`deleted ${seed}`);
  },
  async reset() {
    await using store = await open();
    const image = buildIndex(seed, ['linux/amd64', 'linux/arm64'], { layerSize: 300 });
    await pushArtifact(openRepository(store, `r/${seed}`, { owner }), image, 'v1');
    say(`push r/${seed} ${seed}`);
    say('resetting');
    await emptyStore(store);
    say('reset');
  },
  /** Takes damaged blobs out of service. */
  async quarantine() {
    await using store = await open();
    const suspects: Digest[] = [];
    for await (const { problems } of checkContent(store))
      suspects.push(
        ...problems.flatMap(({ kind, digest }) => (kind === 'damaged' && digest ? [digest] : [])),
      );
    await quarantine(
      store,
      suspects.map((digest) => ({ digest })),
    );
  },
  async repair() {
    const holder = 'test';
    await repairStore({ root, stateRoot, adopt: false, report: silentReport, holder });
    await using store = await open();
    await writeRest(store);
  },
  async adopt() {
    await using store = await openStoreAt({ root, stateRoot }, { zone: 'zone-b' });
    await adoptStore(store);
    const whole: Digest[] = [];
    for await (const _ of checkContent(store, { onWhole: (digest) => whole.push(digest) }));
    await vouch(store, whole);
  },
  async accounts() {
    await using accounts = openAccounts({
      stateRoot,
      hashing: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
    });
    if (await accounts.isEmpty()) await accounts.create({ name: 'admin', password: 'admin password' });
    say('account admin admin');
    await accounts.create({ name: `a-${seed}`, role: 'viewer', password: `first password ${seed}` });
    say(`account a-${seed} viewer`);
    say(`changing a-${seed}`);
    await accounts.update(`a-${seed}`, { role: 'operator', password: `second password ${seed}` });
    say(`account a-${seed} operator`);
    await accounts.create({ name: `b-${seed}`, role: 'admin', password: `third password ${seed}` });
    say(`account b-${seed} admin`);
    const token = await accounts.tokens.create({ name: `t-${seed}`, role: 'operator' });
    say(`token t-${seed} ${token.secret}`);
    say(`changing b-${seed}`);
    await accounts.delete(`b-${seed}`);
    say(`gone b-${seed}`);
    say(`changing t-${seed}`);
    await accounts.tokens.revoke(`t-${seed}`);
    say(`revoked t-${seed}`);
  },
};

try {
  await commands[command]!();
  say('end');
} catch (error) {
  say(`failed ${isSvcError(error) ? `${error.code} ${JSON.stringify(error.params)}` : String(error)}`);
}
