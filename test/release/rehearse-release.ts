// The command of scripts/release/release.ts with everything but its programs, so that a release takes a second: see
// rehearse-build.ts. It builds in the sources as they are; a check builds in real trees.
// SVC_REHEARSAL_STOP=<step>:<signal> ends the process at a step.
import { symlinkSync } from 'node:fs';
import { runReleaseCommand } from '../../scripts/release/release-command.ts';
import { type OpenTree, openTree } from '../../scripts/release/tree.ts';

const args = process.argv.slice(2);
const [step, signal] = (process.env.SVC_REHEARSAL_STOP ?? '').split(':');
const openSources: OpenTree = async ({ root }, _platforms, _inputs, into) => symlinkSync(root, into);

process.exitCode = await runReleaseCommand(args, {
  builder: 'test/release/rehearse-build.ts',
  openTree: args.includes('--check') ? openTree : openSources,
  say: (line) => {
    process.stderr.write(`release: ${line}\n`);
    if (line === step) process.kill(process.pid, signal as NodeJS.Signals);
  },
});
