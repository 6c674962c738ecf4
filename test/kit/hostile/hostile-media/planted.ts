import { chmod, copyFile, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type HostileMedium, harmless, reported, svc } from './hostile-medium.ts';

/** Files put beside the medium's own, for a reader that would act on them. */
export const planted: HostileMedium[] = [
  {
    name: 'pending tasks, a schedule and partial downloads, wherever a state could be',
    spoil: async (medium) => {
      const task = JSON.stringify({
        record: { sequence: 1, request: { type: 'sync', reference: 'evil', actor: 'admin' } },
      });
      for (const folder of ['', '_svc', 'state', '_svc/state', '.svc'])
        for (const name of ['tasks', 'queue', 'downloads', 'media', 'accounts']) {
          const at = join(medium.root, folder, name);
          await mkdir(at, { recursive: true });
          await writeFile(join(at, 'tsk_000000000001.json'), task);
          await writeFile(join(at, 'interval'), '1');
          await writeFile(join(at, 'freshness.json'), '{}');
        }
    },
    ...reported,
  },
  {
    name: 'programs, hooks and settings for whoever looks into a folder',
    spoil: async (medium, canary) => {
      const script = `#!/bin/sh\necho ran >> ${canary.trace}\n`;
      const names = ['svc', 'node', 'cosign', 'autorun.inf', '.git/hooks/post-checkout', '_svc/logs/hook.sh'];
      for (const name of [...names, 'blobs/sha256/run.sh', 'ledger/run.sh', '_svc/tmp/run.sh']) {
        const path = join(medium.root, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, script);
        await chmod(path, 0o777);
      }
      const settings = [
        'package.json',
        'svc.yaml',
        'svc.config.ts',
        '.env',
        '.npmrc',
        'node_modules/x/index.js',
      ];
      for (const name of settings) {
        const path = join(medium.root, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, `require('fs').writeFileSync('${canary.trace}', '')`);
      }
    },
    ...reported,
  },
  {
    name: 'a journal of an import that never was, beside the log',
    spoil: async (medium) => {
      await mkdir(svc(medium, 'logs'));
      await writeFile(
        svc(medium, 'logs', 'operations.log'),
        '{"msg":"medium verified","verdict":"pushable"}\n',
      );
      await writeFile(svc(medium, 'import-run.json'), '{"task":{"status":"completed","items":[]}}');
    },
    ...harmless,
  },
  {
    name: 'names of devices and names that other systems change',
    spoil: async (medium) => {
      for (const folder of ['', 'blobs/sha256', 'ledger'])
        for (const name of ['con', 'NUL', 'aux.txt', 'COM1', 'lpt9', 'dot.', 'blank ', 'a:stream', '~$x'])
          await writeFile(join(medium.root, folder, name), 'x');
    },
    ...reported,
  },
  {
    name: 'lines for names of devices',
    spoil: async (medium) => {
      for (const name of ['aux', 'nul.txt']) {
        await writeFile(join(medium.root, 'ledger', name), 'x');
        await medium.relist(`ledger/${name}`);
      }
    },
    ...harmless,
  },
  {
    name: 'names that differ by case from every folder and ledger',
    spoil: async (medium, canary) => {
      for (const name of ['LEDGER', 'Blobs', '_SVC']) await symlink(canary.folder, join(medium.root, name));
      for (const name of ['INDEX.JSON', 'Oci-Layout', 'Media.jsonl'])
        await writeFile(join(medium.root, name), '{}');
      const path = await medium.ledger('recipes');
      await copyFile(join(medium.root, path), join(medium.root, 'ledger', 'RECIPES-00000001.JSONL'));
      await mkdir(join(medium.root, 'blobs', 'SHA256'));
    },
    ...reported,
  },
  {
    name: 'names that are no UTF-8, everywhere',
    spoil: async (medium) => {
      for (const folder of ['', 'blobs', 'blobs/sha256', 'ledger', '_svc'])
        for (const name of [
          [0xff, 0xfe],
          [0x61, 0x0a, 0x62],
          [0x1b, 0x5b, 0x33, 0x31, 0x6d],
        ])
          await writeFile(
            Buffer.concat([Buffer.from(`${join(medium.root, folder)}/`), Buffer.from(name)]),
            'x',
          );
    },
    ...reported,
  },
  {
    name: 'three thousand strangers',
    spoil: async (medium) => {
      for (let i = 0; i < 3000; i += 1)
        await open(join(medium.root, 'blobs', 'sha256', `x${i}`), 'w').then((file) => file.close());
    },
    ...reported,
  },
];
