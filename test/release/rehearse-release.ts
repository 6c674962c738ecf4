// The command of scripts/release/release.ts with everything but its programs, so that a release takes a second: see
// rehearse-build.ts. It builds in the sources as they are; a check builds in clones, with the packages of the sources.
// SVC_REHEARSAL_STOP=<step>:<signal> ends the process at a step.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runReleaseCommand } from '../../scripts/release/release-command.ts';
import { cloneCommit, type OpenTree } from '../../scripts/release/tree.ts';

const args = process.argv.slice(2);
const [step, signal] = (process.env.SVC_REHEARSAL_STOP ?? '').split(':');
const openSources: OpenTree = async ({ root }, _platforms, _inputs, into) => symlinkSync(root, into);
const openClone: OpenTree = async (source, _platforms, _inputs, into) => {
  cloneCommit(source, into);
  const [packages, placed] = [source.root, into].map((folder) => join(folder, 'node_modules')) as [
    string,
    string,
  ];
  mkdirSync(placed);
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(placed, name));
};

process.exitCode = await runReleaseCommand(args, {
  builder: 'test/release/rehearse-build.ts',
  openTree: args.includes('--check') ? openClone : openSources,
  say: (line) => {
    process.stderr.write(`release: ${line}\n`);
    if (line === step) process.kill(process.pid, signal as NodeJS.Signals);
  },
});
