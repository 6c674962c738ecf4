import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type ChartFiles, toChartTree } from '../../../src/authoring/chart/chart-tree.ts';
import { findChartImages } from '../../../src/authoring/chart/find-images.ts';
import { readChartFiles } from '../../../src/authoring/chart/read-chart-files.ts';
import { readChartFolder } from '../../../src/authoring/chart/read-chart-folder.ts';
import { packChart } from '../../kit/content/helm-chart.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const documents = (level: number): Record<string, string> => ({
  'Chart.yaml': `apiVersion: v2\nname: c${level}\nversion: 1.0.0\n`,
  'values.yaml': `image: {repository: registry.example/i${level}, tag: "1"}\n`,
});

/** Files of a chart with so many levels of charts below it, each in a folder. */
function inFolders(levels: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let level = 0; level <= levels; level += 1) {
    const folder = Array.from({ length: level }, (_, i) => `charts/c${i + 1}/`).join('');
    for (const [name, text] of Object.entries(documents(level))) files[`${folder}${name}`] = text;
  }
  return files;
}

/** The same with each embedded chart in an archive. */
function inArchives(levels: number, level = 0): Buffer {
  const below = level < levels ? { [`charts/c${level + 1}.tgz`]: inArchives(levels, level + 1) } : {};
  return packChart(`c${level}`, { ...documents(level), ...below });
}

const judge = (files: ChartFiles) => {
  const { images, unread } = findChartImages(toChartTree(files, 'chart'));
  return { images: images.length, unread: unread.map(({ name }) => name) };
};
const unpack = (archive: Buffer) => readChartFiles(Readable.from([archive]), 'chart');

test('charts below the sixteenth level are named as not read, in archives and in folders', async () => {
  await using temp = await openTempFolder();
  const readFolder = async (files: Readonly<Record<string, string>>, name: string) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(temp.path, name, path)), { recursive: true });
      await writeFile(join(temp.path, name, path), text);
    }
    return readChartFolder(join(temp.path, name));
  };
  for (const levels of [16, 17, 18]) {
    const [folders, archives] = [['c17'], ['c17.tgz']].map((unread) => ({
      images: 17,
      unread: levels > 16 ? unread : [],
    }));
    assert.deepEqual(judge(await unpack(inArchives(levels))), archives, `${levels} archives`);
    assert.deepEqual(judge(await unpack(packChart('c0', inFolders(levels)))), folders, `${levels} packed`);
    assert.deepEqual(judge(await readFolder(inFolders(levels), `${levels}`)), folders, `${levels} folders`);
  }
});
