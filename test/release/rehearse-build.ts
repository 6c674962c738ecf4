// The build of a rehearsal: its programs are scripts that run the sources of SVC_REHEARSAL_SOURCES. Where the sources
// have a file `tell`, which names a file, each build tells its circumstances there.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBuilder } from '../../scripts/release/builder.ts';
import { type MakePrograms, programName } from '../../scripts/release/program.ts';

/** The folder of the sources that run; it is the same in every build. */
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
  return { files: Object.fromEntries(files), metafiles: [], parts: {} };
};

await runBuilder(makeStandIns);
