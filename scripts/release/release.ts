// release VERSION: makes all files of a release of this commit; see `usage`. The files are made in a hidden folder,
// which gets the name of the release when everything is complete. This process prepares a tree of the commit and the
// pinned packages, and starts the build in it (build.ts).
import { runReleaseCommand } from './release-command.ts';
import { openTree } from './tree.ts';

process.exitCode = await runReleaseCommand(process.argv.slice(2), {
  builder: 'scripts/release/build.ts',
  openTree,
});
