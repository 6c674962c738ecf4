// The command of scripts/release/release.ts with everything but its programs: those are scripts that run the sources of
// SVC_REHEARSAL_SOURCES, so that a release around them takes a second. Where the sources have a file `tell`, which names a file, each build tells its
// circumstances there. SVC_REHEARSAL_STOP=<step>:<signal> ends the process at a step.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MakePrograms, programName } from '../../scripts/release/program.ts';
import { runReleaseCommand } from '../../scripts/release/release-command.ts';

/** What runs the sources; a folder that is the same in every build. */
const sources = process.env.SVC_REHEARSAL_SOURCES ?? '/nowhere';
const command = `${sources}/node_modules/node-linux-${process.arch}/bin/node ${sources}/commands/main.ts`;

const makeStandIns: MakePrograms = async ({ source, platforms, out }) => {
  const tell = join(source.root, 'tell');
  if (existsSync(tell)) {
    const { TZ, LC_ALL } = process.env;
    const told = { cwd: process.cwd(), uid: process.getuid?.(), year: new Date().getFullYear(), TZ, LC_ALL };
    appendFileSync(readFileSync(tell, 'utf8'), `${JSON.stringify(told)}\n`);
  }
  const files = platforms.map((platform) => {
    const file = join(out, programName(platform));
    const line = `svc ${source.version} (commit ${source.commit.slice(0, 12)}, for ${platform})`;
    const script = `#!/bin/sh\n[ "$1" = version ] && { echo '${line}'; exit; }\nexec ${command} "$@"\n`;
    writeFileSync(file, script, { mode: 0o755 });
    return [platform, file] as const;
  });
  return { files: Object.fromEntries(files), metafiles: [] };
};

const [step, signal] = (process.env.SVC_REHEARSAL_STOP ?? '').split(':');
process.exitCode = await runReleaseCommand(process.argv.slice(2), {
  script: 'test/release/rehearse-release.ts',
  makePrograms: makeStandIns,
  say: (line) => {
    process.stderr.write(`release: ${line}\n`);
    if (line === step) process.kill(process.pid, signal as NodeJS.Signals);
  },
});
