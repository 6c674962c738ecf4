import { arch, platform } from 'node:process';
import { exitCodes } from '../src/text/exit-codes.ts';
import { getBuildInfo } from './build-info.ts';

/** Major version of the API that an instance of this program serves under `/api/v<major>`. */
const apiMajor = 1;

interface VersionDocument {
  readonly version: string;
  readonly commit: string;
  readonly date: string;
  readonly runtime: string;
  readonly os: string;
  readonly arch: string;
  readonly apiMajor: number;
  readonly exitCodes: readonly { readonly code: number; readonly name: string }[];
}

export function getVersionDocument(): VersionDocument {
  const codes = Object.entries(exitCodes).map(([name, code]) => ({ code, name }));
  return { ...getBuildInfo(), runtime: process.version, os: platform, arch, apiMajor, exitCodes: codes };
}

export function renderVersion({ version, commit, date, runtime, os, arch: cpu }: VersionDocument): string {
  return `svc ${version} (commit ${commit}, built ${date}, node ${runtime}, ${os}/${cpu})\n`;
}
