import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLayout } from '../../src/archive/open-layout.ts';
import { silentReport } from '../../src/base/report.ts';
import { exportLayout } from '../../src/operation/export-layout.ts';
import type { Store } from '../../src/store/model.ts';
import { damages, listKinds, openSource, pathOf } from '../kit/hostile/damaged-source.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { loadSettings } from '../kit/scene/load-settings.ts';

const write = async (
  folder: string,
  store: Store,
  output: string,
  {
    format = 'tar',
    recipes = [],
  }: { readonly format?: 'tar' | 'directory'; readonly recipes?: string[] } = {},
) => {
  const configPath = join(folder, 'source.json');
  const config = await loadSettings(configPath, { mode: 'mirror', storage: { root: store.root } });
  return exportLayout(
    { config, configPath, report: silentReport },
    {
      store,
      output,
      format,
      selection: { recipes, repositories: [] },
      overwrite: false,
      actor: 'test',
    },
  );
};

for (const [what, damage] of Object.entries(damages))
  test(`a file that is ${what} keeps its recipe out of a layout, and no other, whichever file it is`, async () => {
    await using source = await openSource();
    const kinds = await listKinds(source);
    const found: string[] = [];
    for (const [kind, digest] of Object.entries(kinds)) {
      const place = await source.copy();
      damage(pathOf(place, digest));
      await using store = await openStoreAt(place, { access: 'read' });
      const format = kind === 'layer' ? 'directory' : 'tar';
      const output = join(source.medium.folder, `${kind}.${format}`);
      const told = await write(source.medium.folder, store, output, { format }).then(
        ({ blocked, references }) =>
          `${blocked?.code} ${blocked?.params.recipe}: ${references.filter((one) => one.includes('shop')).length}`,
        (error: unknown) => String(error),
      );
      found.push(`${kind}: ${told}`);
      if (!existsSync(output)) continue;
      await using layout = await openLayout(output);
      assert.ok(layout.entries.some((entry) => JSON.stringify(entry).includes('depot')));
      await assert.rejects(write(source.medium.folder, store, `${output}.shop`, { recipes: ['shop'] }), {
        code: 'SVC-STO-010',
      });
    }
    assert.deepEqual(
      found,
      Object.keys(kinds).map((kind) => `${kind}: SVC-STO-010 shop@1.0.0: 0`),
    );
  });
