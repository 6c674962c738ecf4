// release VERSION: makes all files of a release of this commit; see `usage`. The files are made in a hidden folder,
// which gets the name of the release when everything is complete.
import { makeSingleFiles } from './program.ts';
import { runReleaseCommand } from './release-command.ts';

process.exitCode = await runReleaseCommand(process.argv.slice(2), {
  script: 'scripts/release/release.ts',
  makePrograms: makeSingleFiles,
});
