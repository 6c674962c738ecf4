import { arch, platform } from 'node:process';
import { Command, type Usage } from 'clipanion';
import { exitCodes } from '../src/base/error.ts';
import { BaseCommand } from './base-command.ts';
import { getBuildInfo } from './build-info.ts';
import { printDocument } from './print.ts';

/** Major of the API that an instance of this program serves under `/api/v<major>`. */
const apiMajor = 1;

export class VersionCommand extends BaseCommand {
  static override paths: string[][] = [['version']];
  static override usage: Usage = Command.Usage({
    description: 'Show version, commit, build date and runtime',
  });

  async run(): Promise<number> {
    const { version, commit, date } = getBuildInfo();
    const runtime = process.version;
    if (this.format === 'text') {
      this.context.stdout.write(
        `svc ${version} (commit ${commit}, built ${date}, node ${runtime}, ${platform}/${arch})\n`,
      );
      return 0;
    }
    const codes = Object.entries(exitCodes).map(([name, code]) => ({ code, name }));
    const document = { version, commit, date, runtime, os: platform, arch, apiMajor, exitCodes: codes };
    await printDocument(this.context.stdout, document, 'json');
    return 0;
  }
}
