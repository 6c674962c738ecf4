import { seededBytes } from '../../kit/content/content.ts';
import type { Bench, Row } from './row.ts';

const push = (bench: Bench, to: string, ...more: readonly string[]) =>
  bench.run('oras', 'push', '--plain-http', to, ...more);

const made: readonly Row[] = [
  {
    name: 'oras: files with a type of their own',
    make: async (bench, at, tag) => {
      await bench.write('one.bin', seededBytes('one', 5000));
      await bench.write('two.txt', 'grüße');
      await push(
        bench,
        `${at}:${tag}`,
        '--artifact-type',
        'application/vnd.example.thing',
        'one.bin',
        'two.txt:text/plain',
      );
    },
  },
  {
    name: 'oras: nothing but annotations',
    has: /"org\.example\.odd":"grüße 🚢"/,
    make: (bench, at, tag) =>
      push(
        bench,
        `${at}:${tag}`,
        '--artifact-type',
        'application/vnd.example.empty',
        '-a',
        'org.example.odd=grüße 🚢',
      ),
  },
  {
    name: 'oras: an empty file, and one file twice under two names',
    make: async (bench, at, tag) => {
      await bench.write('nothing', '');
      await bench.write('left', 'the same');
      await bench.write('right', 'the same');
      await push(
        bench,
        `${at}:${tag}`,
        '--artifact-type',
        'application/vnd.example.same',
        'nothing',
        'left',
        'right',
      );
    },
  },
  {
    name: 'oras: a manifest of version 1.0, its type in the configuration',
    make: async (bench, at, tag) => {
      await bench.write('config.json', '{}');
      await bench.write('old.bin', seededBytes('old', 100));
      const config = 'config.json:application/vnd.example.config.v1+json';
      await push(bench, `${at}:${tag}`, '--image-spec', 'v1.0', '--config', config, 'old.bin');
    },
  },
  {
    name: 'oras: something attached to another artifact, under a tag of its own',
    has: /"subject"/,
    make: async (bench, at, tag) => {
      await bench.write('subject.bin', seededBytes('subject', 100));
      await push(bench, `${at}:subject`, '--artifact-type', 'application/vnd.example.subject', 'subject.bin');
      await bench.write('report.json', '{"a":1}');
      const more = ['--artifact-type', 'application/vnd.example.report', `${at}:subject`, 'report.json'];
      const said = await bench.run('oras', 'attach', '--plain-http', '--format', 'json', ...more);
      const { digest } = JSON.parse(said);
      await bench.run('oras', 'tag', '--plain-http', `${at}@${digest}`, tag);
    },
  },
  {
    name: 'oras: by way of its own layout',
    make: async (bench, at, tag) => {
      await bench.write('layout.bin', seededBytes('layout', 100));
      const type = ['--artifact-type', 'application/vnd.example.layout'];
      await bench.run('oras', 'push', '--oci-layout', 'oras-layout:1', ...type, 'layout.bin');
      await bench.run('oras', 'cp', '--from-oci-layout', 'oras-layout:1', '--to-plain-http', `${at}:${tag}`);
    },
  },
];

export const artifacts: readonly Row[] = made.map((row) => ({ ...row, kind: 'OCIArtifact' }));
